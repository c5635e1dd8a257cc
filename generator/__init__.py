"""The guide's own package: dataset, sizing, comparison and pages."""

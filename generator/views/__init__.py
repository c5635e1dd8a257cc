"""What each page shows, decided from the dataset: selections, rankings and sentences, free of markup."""

"""What renting costs a reader in Brazil: reais, taxes, disks, outgoing data; pure, over the dataset."""

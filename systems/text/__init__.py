"""What several methods share: character n-grams, and boundaries learnt from scored training problems."""

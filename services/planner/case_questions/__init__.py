"""What people ask of the case at hand, and the model that finds it in their words."""

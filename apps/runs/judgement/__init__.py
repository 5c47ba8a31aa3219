"""What a latency says of the storage, as `agent/src/judgement` judges it too."""

"""The MQTT link: the broker, topics, messages, reconnecting and gathering readings."""

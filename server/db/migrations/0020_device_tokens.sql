-- A cookie is taken for a device's only if this portal has written it, for whomever.
CREATE INDEX known_device_by_token ON known_device (token_hash);

-- The key that a session belongs to (RFC 7638 thumbprint), from the first call on that proves one (decision 0085). Null: of a device without one.
ALTER TABLE session ADD COLUMN key_thumbprint text;
--> statement-breakpoint
-- Since when this till proves its key: from then on only sessions that belong to its key get holds in its name.
ALTER TABLE till ADD COLUMN proven_at timestamptz;

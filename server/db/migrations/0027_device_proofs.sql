-- The key that a session belongs to (RFC 7638 thumbprint), from the first call on that proves one (decision 0085). Null: of a device without one.
ALTER TABLE session ADD COLUMN key_thumbprint text;
--> statement-breakpoint
-- Since when this till proves its key: from then on only sessions that belong to its key get holds in its name.
ALTER TABLE till ADD COLUMN proven_at timestamptz;
--> statement-breakpoint
-- When sessions begin to belong to keys. An installation that was in use before has pages and servers of the release before, which know
-- nothing of it: they get 30 days.
CREATE TABLE device_proofs (required_from timestamptz NOT NULL);
--> statement-breakpoint
INSERT INTO device_proofs SELECT CASE WHEN EXISTS (SELECT FROM session) THEN now() + interval '30 days' ELSE '-infinity' END;

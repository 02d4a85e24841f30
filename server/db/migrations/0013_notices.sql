-- What a person has read of the notices. The notices themselves are read from what happened, never written a second time.
CREATE TABLE notice_read (
  user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  key text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (user_id, key)
);
--> statement-breakpoint
-- Most holds end by their own till: only those that were taken from one are looked for, by when that was.
CREATE INDEX ended_hold_taken_away ON ended_hold (organisation_id, ended_at)
  WHERE ended_by IN ('released by merchant', 'released by provider', 'deactivated', 'taken over');

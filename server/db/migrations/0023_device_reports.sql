-- What tills say of themselves (decision 0078). A row of `till` is a device at one branch, and has an id of its own now.
ALTER TABLE till ADD COLUMN guid uuid NOT NULL DEFAULT gen_random_uuid();
--> statement-breakpoint
-- SHA-256 in hex of the token in the cookie of its device.
ALTER TABLE till ADD COLUMN token_hash text;
--> statement-breakpoint
CREATE UNIQUE INDEX till_guid ON till (guid);
--> statement-breakpoint
CREATE UNIQUE INDEX till_by_token ON till (token_hash);
--> statement-breakpoint
-- Apart from `till`, whose row each hold locks: a report must not wait for one, nor one for a report.
CREATE TABLE device_report (
  till_guid uuid PRIMARY KEY REFERENCES till (guid) ON DELETE CASCADE,
  heard_at timestamptz NOT NULL,
  clock_offset_ms bigint NOT NULL,
  build text NOT NULL,
  update_waits boolean NOT NULL,
  browser text NOT NULL,
  persistent boolean,
  waiting_count integer NOT NULL,
  waiting_cents bigint NOT NULL,
  oldest_waiting_at timestamptz,
  refused integer NOT NULL,
  pos_user_id uuid,
  -- Its connection diary, a page under each day.
  days jsonb NOT NULL DEFAULT '{}',
  shift_check jsonb
);
--> statement-breakpoint
ALTER TABLE device_report ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON device_report USING (EXISTS (SELECT FROM till WHERE till.guid = till_guid));

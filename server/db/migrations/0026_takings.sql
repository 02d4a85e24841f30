-- The numbers that tills give to what they took (decision 0083). A row for each that has arrived, whatever came of its voucher.
-- It names no table: each redemption writes one, and the hold that it belongs to is proven by then.
CREATE TABLE taking (
  organisation_id uuid NOT NULL,
  -- Made by the device; the report of the till says whose it is.
  sequence uuid NOT NULL,
  number integer NOT NULL,
  -- SHA-256: of the one before, as the till said, and of this one, as the server made it.
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  hold_id uuid NOT NULL,
  arrived_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_id, sequence, number)
);
--> statement-breakpoint
ALTER TABLE taking ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON taking USING (organisation_id = (SELECT current_tenant()));
--> statement-breakpoint
-- How far the takings of a till were compared, as its last report that said something new had them.
ALTER TABLE device_report ADD COLUMN sequence jsonb;
--> statement-breakpoint
CREATE TABLE missing_taking (
  organisation_id uuid NOT NULL REFERENCES organisation (id),
  sequence uuid NOT NULL,
  number integer NOT NULL,
  -- `missing`: a till says that it took it, and it has not arrived. `broken`: it does not fit the one before.
  kind text NOT NULL,
  till_guid uuid NOT NULL REFERENCES till (guid) ON DELETE CASCADE,
  noticed_at timestamptz NOT NULL,
  arrived_at timestamptz,
  closed_at timestamptz,
  -- A name, not an account: it stays when the account is gone.
  closed_by text,
  reason text,
  PRIMARY KEY (organisation_id, sequence, number, kind)
);
--> statement-breakpoint
CREATE INDEX missing_taking_till ON missing_taking (till_guid);
--> statement-breakpoint
ALTER TABLE missing_taking ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON missing_taking USING (organisation_id = (SELECT current_tenant()));

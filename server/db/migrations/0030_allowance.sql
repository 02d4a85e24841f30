-- What the tills of a branch may accept without a check, at the shop's risk (decision 0092). No row, or no rules: nothing.
CREATE TABLE branch_allowance (
  branch_id uuid PRIMARY KEY REFERENCES branch ON DELETE CASCADE,
  organisation_id uuid NOT NULL REFERENCES organisation,
  rules jsonb,
  changed_at timestamptz NOT NULL,
  -- A name, not an account: it stays when the account is gone.
  changed_by text NOT NULL
);
--> statement-breakpoint
ALTER TABLE branch_allowance ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON branch_allowance USING (organisation_id = (SELECT current_tenant()));
--> statement-breakpoint
-- Of each device: how much of all that it has ever accepted the server knows. One that is enrolled anew is another.
CREATE TABLE allowance_count (
  organisation_id uuid NOT NULL REFERENCES organisation,
  till_id uuid NOT NULL,
  -- Hash of the token in its cookie.
  key text NOT NULL,
  -- What the device said when the count began: rows up to there are in it already.
  base_cents bigint NOT NULL,
  -- `base_cents` and all that has arrived since.
  counted_cents bigint NOT NULL CHECK (counted_cents >= base_cents),
  PRIMARY KEY (organisation_id, till_id, key)
);
--> statement-breakpoint
ALTER TABLE allowance_count ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON allowance_count USING (organisation_id = (SELECT current_tenant()));
--> statement-breakpoint
-- Every grant, for good. Only that it is out of use is written into it.
CREATE TABLE allowance_grant (
  id uuid PRIMARY KEY,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
  organisation_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  till_id uuid NOT NULL,
  till_guid uuid NOT NULL REFERENCES till (guid),
  key text NOT NULL,
  -- SHA-256 in hex: whoever has the secret may upload under it.
  secret_hash text NOT NULL,
  voucher_cents integer NOT NULL,
  till_cents integer NOT NULL,
  -- The ceiling of the device's own count of all that it has ever accepted.
  total_cents bigint NOT NULL,
  check_one_in integer NOT NULL,
  issued_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- Since when the device is known to have a later one, or there is a later one of at least as much.
  replaced_at timestamptz,
  -- When its till was revoked by somebody who was told how much is out.
  freed_at timestamptz,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id)
);
--> statement-breakpoint
CREATE INDEX allowance_grant_out ON allowance_grant (branch_id) WHERE replaced_at IS NULL;
--> statement-breakpoint
CREATE INDEX allowance_grant_out_of_till ON allowance_grant (till_guid) WHERE replaced_at IS NULL;
--> statement-breakpoint
CREATE INDEX allowance_grant_of_device ON allowance_grant (organisation_id, till_id) WHERE replaced_at IS NULL;
--> statement-breakpoint
ALTER TABLE allowance_grant ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON allowance_grant USING (organisation_id = (SELECT current_tenant()));
--> statement-breakpoint
-- What tills accepted without a check and have uploaded. The money is in the ledger where the outcome is `redeemed`, and nowhere else.
CREATE TABLE accepted_voucher (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  till_id uuid NOT NULL,
  till_guid uuid NOT NULL REFERENCES till (guid),
  till_name text NOT NULL,
  -- An account that may be deleted by now.
  pos_user_id uuid NOT NULL,
  grant_id uuid REFERENCES allowance_grant,
  -- Empty where the code says nothing.
  serial text NOT NULL,
  code text NOT NULL,
  cents integer NOT NULL,
  -- By the device's own count, this one included.
  total_cents bigint NOT NULL,
  sequence uuid NOT NULL,
  taking_number integer NOT NULL,
  -- By the clock of the device, and the same within its grant.
  device_at timestamptz NOT NULL,
  accepted_at timestamptz NOT NULL,
  arrived_at timestamptz NOT NULL,
  -- Empty while another till may have redeemed it.
  outcome text CHECK (outcome IN ('redeemed', 'lost', 'review')),
  reason text,
  -- When somebody else redeemed it, and by which row of the ledger.
  used_at timestamptz,
  used_by uuid REFERENCES redemption,
  reviewed_at timestamptz,
  reviewed_by text,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CHECK ((reason IS NOT NULL) = (outcome IN ('lost', 'review') AND outcome IS NOT NULL)),
  CHECK (num_nonnulls(reviewed_at, reviewed_by) IN (0, 2))
);
--> statement-breakpoint
CREATE INDEX accepted_voucher_arrived ON accepted_voucher (branch_id, arrived_at);
--> statement-breakpoint
CREATE INDEX accepted_voucher_of_till ON accepted_voucher (organisation_id, sequence, total_cents);
--> statement-breakpoint
CREATE INDEX accepted_voucher_open ON accepted_voucher (arrived_at) WHERE outcome IS NULL;
--> statement-breakpoint
CREATE INDEX accepted_voucher_serial ON accepted_voucher (serial);
--> statement-breakpoint
CREATE INDEX accepted_voucher_org_loss ON accepted_voucher (organisation_id, accepted_at, id) WHERE outcome IN ('lost', 'review');
--> statement-breakpoint
ALTER TABLE accepted_voucher ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON accepted_voucher USING (organisation_id = (SELECT current_tenant()));
--> statement-breakpoint
-- A row of the ledger may name its till without a hold. The new check holds for every row that the old one let in.
DO $$
DECLARE
  name text;
BEGIN
  SELECT conname INTO STRICT name FROM pg_constraint
  WHERE conrelid = 'redemption'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%num_nonnulls(hold_secret_hash%';
  EXECUTE format('ALTER TABLE redemption DROP CONSTRAINT %I', name);
END
$$;
--> statement-breakpoint
ALTER TABLE redemption ADD CONSTRAINT redemption_till
  CHECK (num_nonnulls(till_id, till_name) IN (0, 2) AND (hold_secret_hash IS NULL OR till_id IS NOT NULL)) NOT VALID;

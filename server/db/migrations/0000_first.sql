CREATE TABLE organisation (
  id uuid PRIMARY KEY,
  merchant_id text NOT NULL UNIQUE CHECK (merchant_id ~ '^[0-9]{3,}$'),
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('HRP', 'ADHOC')),
  status text NOT NULL
);
--> statement-breakpoint
CREATE TABLE branch (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisation,
  name text NOT NULL,
  code text NOT NULL,
  master_user_id uuid,
  status text NOT NULL,
  -- The target of the composite key below: a user's branch is one of its own organisation.
  UNIQUE (organisation_id, id)
);
--> statement-breakpoint
CREATE INDEX branch_by_organisation ON branch (organisation_id, name);
--> statement-breakpoint
CREATE INDEX branch_by_master ON branch (master_user_id);
--> statement-breakpoint
CREATE TABLE app_user (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisation,
  branch_id uuid,
  type text NOT NULL CHECK (type IN ('HRP Merchant', 'Additional Merchant', 'ADHOC Merchant', 'Branch Merchant', 'POS User')),
  status text NOT NULL CHECK (status IN ('Active', 'Inactive', 'Pending', 'Pending Authorisation', 'Pending Activation', 'Authorisation Rejected')),
  login_kind text NOT NULL CHECK (login_kind = CASE WHEN type = 'POS User' THEN 'pos' ELSE 'merchant' END),
  login_name text NOT NULL CHECK (login_name = lower(login_name)),
  password_hash text NOT NULL,
  password_changed_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CHECK ((type IN ('Branch Merchant', 'POS User')) = (branch_id IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX app_user_login ON app_user (login_kind, login_name);
--> statement-breakpoint
CREATE INDEX app_user_by_branch ON app_user (branch_id, login_name);
--> statement-breakpoint
ALTER TABLE branch ADD CONSTRAINT branch_master FOREIGN KEY (master_user_id) REFERENCES app_user;
--> statement-breakpoint
CREATE TABLE session (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user,
  jti uuid NOT NULL,
  previous_jti uuid,
  rotated_at timestamptz,
  confirmed_at timestamptz,
  binding_hash text NOT NULL,
  idle_seconds integer NOT NULL,
  created_at timestamptz NOT NULL,
  last_active_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_reason text CHECK (ended_reason IN ('superseded', 'expired', 'logout', 'reused', 'deactivated')),
  CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
);
--> statement-breakpoint
-- One active session per user (rule 4.5), whatever the code above does.
CREATE UNIQUE INDEX session_one_live ON session (user_id) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE TABLE login_attempt (
  account text PRIMARY KEY,
  failures integer NOT NULL,
  pending integer NOT NULL,
  pending_since timestamptz NOT NULL,
  blocked_until timestamptz
);
--> statement-breakpoint
CREATE TABLE throttle (
  key text PRIMARY KEY,
  failures integer NOT NULL,
  window_ends_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE TABLE password_nonce (
  nonce text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX password_nonce_by_expiry ON password_nonce (expires_at);
--> statement-breakpoint
CREATE TABLE report_slot (
  user_id uuid NOT NULL REFERENCES app_user,
  slot smallint NOT NULL,
  lease_id uuid NOT NULL,
  leased_until timestamptz NOT NULL,
  PRIMARY KEY (user_id, slot)
);
--> statement-breakpoint
CREATE TABLE voucher (
  id uuid PRIMARY KEY,
  serial char(13) NOT NULL UNIQUE CHECK (serial ~ '^2[0-9]{12}$'),
  denomination_cents integer NOT NULL CHECK (denomination_cents > 0),
  expires_on date NOT NULL,
  status text NOT NULL CHECK (status IN ('Active', 'Used', 'Revoked')),
  used_at timestamptz,
  redeemed_organisation_id uuid REFERENCES organisation,
  redeemed_branch_id uuid,
  FOREIGN KEY (redeemed_organisation_id, redeemed_branch_id) REFERENCES branch (organisation_id, id),
  CHECK ((status = 'Used') = (used_at IS NOT NULL)),
  CHECK ((status = 'Used') = (redeemed_organisation_id IS NOT NULL)),
  CHECK ((status = 'Used') = (redeemed_branch_id IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX voucher_by_denomination ON voucher (denomination_cents);
--> statement-breakpoint
-- Every sort and filter of the voucher table, once within an organisation and once within a branch (rule 11.4).
CREATE INDEX voucher_org_guid ON voucher (redeemed_organisation_id, id) WHERE redeemed_organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_serial ON voucher (redeemed_organisation_id, serial) WHERE redeemed_organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_denomination ON voucher (redeemed_organisation_id, denomination_cents, id) WHERE redeemed_organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_date_used ON voucher (redeemed_organisation_id, used_at, id) WHERE redeemed_organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_expires_on ON voucher (redeemed_organisation_id, expires_on, id) WHERE redeemed_organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_guid ON voucher (redeemed_branch_id, id) WHERE redeemed_branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_serial ON voucher (redeemed_branch_id, serial) WHERE redeemed_branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_denomination ON voucher (redeemed_branch_id, denomination_cents, id) WHERE redeemed_branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_date_used ON voucher (redeemed_branch_id, used_at, id) WHERE redeemed_branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_expires_on ON voucher (redeemed_branch_id, expires_on, id) WHERE redeemed_branch_id IS NOT NULL;
--> statement-breakpoint
CREATE SEQUENCE receipt_no;
--> statement-breakpoint
CREATE TABLE redemption (
  id uuid PRIMARY KEY,
  voucher_id uuid NOT NULL REFERENCES voucher,
  organisation_id uuid NOT NULL REFERENCES organisation,
  branch_id uuid NOT NULL,
  pos_user_id uuid NOT NULL REFERENCES app_user,
  session_id uuid REFERENCES session,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  receipt_no bigint NOT NULL UNIQUE DEFAULT nextval('receipt_no'),
  redeemed_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  voided_at timestamptz,
  voided_by uuid REFERENCES app_user,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CHECK (redeemed_at <= recorded_at),
  CHECK ((voided_at IS NULL) = (voided_by IS NULL))
);
--> statement-breakpoint
-- A voucher is redeemed at most once, whatever the code above does.
CREATE UNIQUE INDEX redemption_one_per_voucher ON redemption (voucher_id) WHERE voided_at IS NULL;
--> statement-breakpoint
CREATE INDEX redemption_by_organisation ON redemption (organisation_id, redeemed_at, id);
--> statement-breakpoint
CREATE INDEX redemption_by_branch ON redemption (branch_id, redeemed_at, id);
--> statement-breakpoint
CREATE FUNCTION redemption_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'a ledger row is never deleted';
  END IF;
  IF OLD.voided_at IS NOT NULL THEN
    RAISE EXCEPTION 'a ledger row is voided once';
  END IF;
  IF (to_jsonb(NEW) - 'voided_at' - 'voided_by') IS DISTINCT FROM (to_jsonb(OLD) - 'voided_at' - 'voided_by') THEN
    RAISE EXCEPTION 'only the void columns of a ledger row can be set';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER redemption_append_only BEFORE UPDATE OR DELETE ON redemption
  FOR EACH ROW EXECUTE FUNCTION redemption_is_append_only();

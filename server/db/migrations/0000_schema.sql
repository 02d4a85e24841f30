-- The whole database of the portal. The files of ../schema describe the same tables to Drizzle as types. PostgreSQL names a check
-- after its column, and numbers checks on several columns: add new ones at the end.

-- Organisations, branches and accounts.

CREATE TABLE organisation (
  id uuid PRIMARY KEY,
  merchant_id text NOT NULL UNIQUE CHECK (merchant_id ~ '^[0-9]{3,}$'),
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('HRP', 'ADHOC')),
  status text NOT NULL,
  registration_number text,
  address text,
  contact_name text,
  contact_number text,
  contact_email text,
  verification_method text NOT NULL DEFAULT 'Serial' CHECK (verification_method IN ('Serial', 'Serial and branch PIN')),
  summary_enabled boolean NOT NULL DEFAULT false,
  summary_recipients text[] NOT NULL DEFAULT '{}',
  logo_key text,
  -- As the application asks for it; the terms say 30 where none were agreed.
  credit_terms_days integer NOT NULL DEFAULT 30 CHECK (credit_terms_days BETWEEN 0 AND 365),
  practised_at timestamptz,
  revision integer NOT NULL DEFAULT 0
);
--> statement-breakpoint
CREATE TABLE branch (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisation,
  name text NOT NULL,
  code text NOT NULL,
  master_user_id uuid,
  status text NOT NULL,
  kind text NOT NULL DEFAULT 'permanent' CHECK (kind IN ('permanent', 'adhoc')),
  from_day date,
  to_day date,
  business jsonb,
  financial_contact jsonb,
  -- Argon2id.
  pin_hash text,
  pin_weak boolean NOT NULL DEFAULT false,
  pin_set_at timestamptz,
  created_at timestamptz,
  created_by uuid,
  revision integer NOT NULL DEFAULT 0,
  -- The target of composite keys: the branch of a user, a voucher or a redemption must belong to the same organisation.
  UNIQUE (organisation_id, id),
  CHECK ((kind = 'adhoc') = (from_day IS NOT NULL) AND (from_day IS NULL) = (to_day IS NULL) AND from_day <= to_day),
  CHECK ((pin_hash IS NULL) = (pin_set_at IS NULL))
);
--> statement-breakpoint
-- A code is unique within an organisation, in any case.
CREATE UNIQUE INDEX branch_by_code ON branch (organisation_id, lower(code));
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
  -- Null until an invited account is activated.
  password_hash text,
  password_changed_at timestamptz,
  created_at timestamptz NOT NULL,
  -- True if another person set the password: the next login asks for a new one.
  must_change_password boolean NOT NULL DEFAULT false,
  name text,
  contact_name text,
  contact_number text,
  last_login_at timestamptz,
  revision integer NOT NULL DEFAULT 0,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CHECK ((type IN ('Branch Merchant', 'POS User')) = (branch_id IS NOT NULL)),
  CONSTRAINT app_user_password_dated CHECK ((password_hash IS NULL) = (password_changed_at IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX app_user_login ON app_user (login_kind, login_name);
--> statement-breakpoint
-- A branch has one login.
CREATE UNIQUE INDEX app_user_branch_login ON app_user (branch_id) WHERE type = 'Branch Merchant';
--> statement-breakpoint
CREATE INDEX app_user_by_branch ON app_user (branch_id, login_name);
--> statement-breakpoint
CREATE INDEX app_user_org_guid ON app_user (organisation_id, type, id);
--> statement-breakpoint
ALTER TABLE branch
  ADD CONSTRAINT branch_master FOREIGN KEY (master_user_id) REFERENCES app_user,
  ADD FOREIGN KEY (created_by) REFERENCES app_user;
--> statement-breakpoint
-- One row for each presigned address; the bytes are in the file store.
CREATE TABLE upload (
  key text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('profile_logo', 'brand_logo', 'merchant_agreement')),
  -- Both are null for a file of an application, which has no account yet.
  organisation_id uuid REFERENCES organisation,
  user_id uuid REFERENCES app_user,
  content_type text NOT NULL,
  size integer NOT NULL CHECK (size > 0),
  -- The file's name on the person's device, only for display.
  filename text NOT NULL,
  -- Pixels of an image, pages of a PDF; set by the check.
  width integer,
  height integer,
  pages integer,
  -- Of the bytes as served; set by the check.
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  state text NOT NULL CHECK (state IN ('pending', 'confirmed', 'refused')),
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  -- When the sweeper dealt with the upload.
  swept_at timestamptz,
  CHECK ((organisation_id IS NULL) = (user_id IS NULL)),
  CHECK ((state = 'confirmed') = (confirmed_at IS NOT NULL)),
  CHECK (state <> 'confirmed' OR sha256 IS NOT NULL)
);
--> statement-breakpoint
CREATE INDEX upload_unswept ON upload (created_at) WHERE swept_at IS NULL;
--> statement-breakpoint
ALTER TABLE organisation ADD FOREIGN KEY (logo_key) REFERENCES upload;
--> statement-breakpoint

-- Sessions and logins.

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
  -- A new password ends sessions, however it was set.
  ended_reason text CHECK (ended_reason IN (
    'superseded', 'expired', 'logout', 'reused', 'deactivated', 'password_changed', 'email_changed')),
  CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
);
--> statement-breakpoint
-- One active session per user (rule 4.5), even if the code has a mistake.
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
-- Passwords before the current one, which is in app_user. Only as many are kept as rule 3.5 needs.
CREATE TABLE password_history (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES app_user,
  password_hash text NOT NULL,
  changed_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX password_history_by_user ON password_history (user_id, changed_at);
--> statement-breakpoint
CREATE TABLE password_link (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id uuid NOT NULL REFERENCES app_user,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  superseded boolean NOT NULL DEFAULT false,
  -- `email` confirms the new address of a login.
  kind text NOT NULL CHECK (kind IN ('reset', 'activation', 'email')),
  email text,
  CONSTRAINT password_link_email_check CHECK ((kind = 'email') = (email IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX password_link_by_user ON password_link (user_id, created_at);
--> statement-breakpoint
-- The further steps of a login after the right password. A new password deletes the challenges of its user.
CREATE TABLE login_challenge (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id uuid NOT NULL REFERENCES app_user,
  kind text NOT NULL CHECK (kind IN ('NEW_PASSWORD', 'MFA_SETUP', 'MFA_CODE')),
  failures integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX login_challenge_by_user ON login_challenge (user_id);
--> statement-breakpoint
CREATE INDEX login_challenge_by_expiry ON login_challenge (expires_at);
--> statement-breakpoint
CREATE TABLE mfa (
  user_id uuid PRIMARY KEY REFERENCES app_user,
  -- AES-256-GCM, bound to the user.
  sealed_secret text NOT NULL,
  -- The 30-second step of the last accepted code. Codes up to this step are refused.
  last_step bigint NOT NULL,
  enabled_at timestamptz NOT NULL
);
--> statement-breakpoint
-- Authenticator apps that have not given a right code yet. Each ends with its challenge or session.
CREATE TABLE mfa_setup (
  token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id uuid NOT NULL REFERENCES app_user,
  challenge_hash text UNIQUE REFERENCES login_challenge ON DELETE CASCADE,
  session_id uuid UNIQUE REFERENCES session,
  sealed_secret text NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  CHECK ((challenge_hash IS NULL) <> (session_id IS NULL))
);
--> statement-breakpoint
CREATE INDEX mfa_setup_by_user ON mfa_setup (user_id);
--> statement-breakpoint
-- The recovery codes that are not used yet.
CREATE TABLE recovery_code (
  user_id uuid NOT NULL REFERENCES app_user,
  code_hash text NOT NULL CHECK (code_hash ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (user_id, code_hash)
);
--> statement-breakpoint
-- Browsers that a user has logged in with, by the hash of a cookie.
CREATE TABLE known_device (
  user_id uuid NOT NULL REFERENCES app_user,
  token_hash text NOT NULL CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, token_hash)
);
--> statement-breakpoint
-- Finds out if this portal has set a cookie, for any user.
CREATE INDEX known_device_by_token ON known_device (token_hash);
--> statement-breakpoint
CREATE TABLE captcha_proof (
  proof_hash text PRIMARY KEY CHECK (proof_hash ~ '^[0-9a-f]{64}$'),
  -- The token or solved challenge that the proof was given for. Each gives one proof.
  source_hash text NOT NULL UNIQUE CHECK (source_hash ~ '^[0-9a-f]{64}$'),
  action text NOT NULL CHECK (action IN ('signup', 'upload')),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- When the row may be deleted, because its source can no longer be used.
  kept_until timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX captcha_proof_by_end ON captcha_proof (kept_until);
--> statement-breakpoint

-- How an organisation joins.

-- Merchant numbers. Numbers that were assigned by hand are skipped. The first is 101, so that the number has the three digits that
-- begin a branch PIN (rule 7.5).
CREATE SEQUENCE merchant_no START 101;
--> statement-breakpoint
-- What a merchant can offer. The ids are fixed, because stored onboardings contain them.
CREATE TABLE product_service_category (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  -- The place in the list; "Others" comes last.
  position smallint NOT NULL UNIQUE
);
--> statement-breakpoint
INSERT INTO product_service_category (id, position, name)
SELECT ('019aa4d0-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, number, name
FROM unnest(ARRAY[
  'Bakery and confectionery',
  'Beverages',
  'Bicycles and accessories',
  'Community and active ageing programmes',
  'Convenience store',
  'Dental care',
  'Dietary supplements and vitamins',
  'Fitness centre or gym',
  'Food court or hawker stall',
  'Fresh fruit and vegetables',
  'General practitioner clinic',
  'Health screening',
  'Healthier meals and catering',
  'Massage and wellness',
  'Medical devices and mobility aids',
  'Optical care',
  'Personal care and hygiene',
  'Pharmacy',
  'Physiotherapy and rehabilitation',
  'Restaurant or café',
  'Sports apparel and footwear',
  'Sports classes and coaching',
  'Sports equipment',
  'Supermarket and groceries',
  'Swimming and recreation facilities',
  'Traditional Chinese medicine',
  'Wearables and fitness trackers',
  'Others'
]) WITH ORDINALITY AS category (name, number);
--> statement-breakpoint
CREATE TABLE application (
  -- Chosen by the applicant's browser: a second request with the same id is the same application.
  id uuid PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email)),
  data jsonb NOT NULL,
  terms_version text NOT NULL,
  submitted_at timestamptz NOT NULL,
  -- Null until the server has opened the account, or has found that the email already had one.
  processed_at timestamptz,
  -- Null if the email already had an account.
  organisation_id uuid REFERENCES organisation,
  CHECK (organisation_id IS NULL OR processed_at IS NOT NULL)
);
--> statement-breakpoint
CREATE INDEX application_waiting ON application (submitted_at) WHERE processed_at IS NULL;
--> statement-breakpoint
CREATE INDEX application_by_organisation ON application (organisation_id, submitted_at);
--> statement-breakpoint
CREATE TABLE onboarding (
  organisation_id uuid PRIMARY KEY REFERENCES organisation,
  uen text NOT NULL CHECK (uen = upper(uen)),
  data jsonb NOT NULL,
  submitted_at timestamptz NOT NULL,
  submitted_by uuid NOT NULL REFERENCES app_user
);
--> statement-breakpoint
CREATE INDEX onboarding_by_uen ON onboarding (uen);
--> statement-breakpoint
CREATE TABLE onboarding_draft (
  organisation_id uuid PRIMARY KEY REFERENCES organisation,
  -- From a sequence, so that a draft begun after another one was removed never has its revision.
  revision bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  saved_at timestamptz NOT NULL,
  -- The answers, encrypted with the sealing key: nobody but the merchant needs them before the submission.
  sealed text NOT NULL CHECK (length(sealed) <= 90000),
  merchant_agreement text
);
--> statement-breakpoint
CREATE TABLE review (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisation,
  subject text NOT NULL CHECK (subject IN ('application', 'onboarding')),
  -- The submission as it was sent: it must not change while a reviewer reads it.
  snapshot jsonb NOT NULL,
  submitted_at timestamptz NOT NULL,
  submitted_by text NOT NULL,
  token_hash text NOT NULL UNIQUE CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz NOT NULL,
  superseded boolean NOT NULL DEFAULT false,
  decision text CHECK (decision IN ('approve', 'reject')),
  reason text,
  decided_at timestamptz,
  decided_via text CHECK (decided_via IN ('review link', 'command line')),
  CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CHECK ((decision IS NULL) = (decided_via IS NULL)),
  CHECK ((reason IS NOT NULL) = (coalesce(decision, '') = 'reject'))
);
--> statement-breakpoint
CREATE INDEX review_by_organisation ON review (organisation_id, submitted_at);
--> statement-breakpoint
-- One submission is current, even if the code has a mistake.
CREATE UNIQUE INDEX review_one_current ON review (organisation_id) WHERE NOT superseded;
--> statement-breakpoint

-- Vouchers.

CREATE TABLE voucher (
  id uuid PRIMARY KEY,
  serial text NOT NULL UNIQUE CHECK (serial ~ '^2[0-9]{12}$'),
  denomination_cents integer NOT NULL CHECK (denomination_cents > 0),
  expires_on date NOT NULL,
  status text NOT NULL CHECK (status IN ('Active', 'Used', 'Revoked')),
  used_at timestamptz,
  -- The organisation and branch that used the voucher.
  organisation_id uuid,
  branch_id uuid,
  -- When the provider revoked it.
  revoked_at timestamptz,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CHECK ((status = 'Used') = (used_at IS NOT NULL)),
  CHECK ((status = 'Used') = (organisation_id IS NOT NULL)),
  CHECK ((status = 'Used') = (branch_id IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX voucher_by_denomination ON voucher (denomination_cents);
--> statement-breakpoint
-- For the default order of the voucher table, and the order by date (rule 11.4). Every further index would slow down each
-- redemption.
CREATE INDEX voucher_org_guid ON voucher (organisation_id, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_org_date_used ON voucher (organisation_id, used_at, id) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_guid ON voucher (branch_id, id) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX voucher_branch_date_used ON voucher (branch_id, used_at, id) WHERE branch_id IS NOT NULL;
--> statement-breakpoint
-- The keys that sign vouchers (decision 0090). A key is never deleted, because vouchers contain its id.
CREATE TABLE voucher_key (
  id integer PRIMARY KEY CHECK (id BETWEEN 1 AND 65535),
  -- 32 bytes in base64url.
  public_key text NOT NULL,
  -- Sealed by a secret of the server, so that a copy of the database cannot sign.
  sealed_private_key text NOT NULL,
  made_at timestamptz NOT NULL,
  rotated_at timestamptz,
  ended_at timestamptz
);
--> statement-breakpoint
-- At most one key signs.
CREATE UNIQUE INDEX voucher_key_signs ON voucher_key ((true)) WHERE rotated_at IS NULL AND ended_at IS NULL;
--> statement-breakpoint

-- Tills.

-- A device at the counter of one branch. `id` is the random id that the device made for itself; `guid` identifies the row.
CREATE TABLE till (
  branch_id uuid NOT NULL REFERENCES branch,
  id uuid NOT NULL,
  name text NOT NULL,
  named_by uuid NOT NULL REFERENCES app_user,
  named_at timestamptz NOT NULL,
  guid uuid NOT NULL DEFAULT gen_random_uuid(),
  -- SHA-256 in hex of the token in the device's cookie.
  token_hash text,
  -- A manager enrols, moves and revokes tills (decision 0079).
  enrolled_at timestamptz,
  revoked_at timestamptz,
  moved_to uuid REFERENCES branch (id) ON DELETE SET NULL,
  removal_requested_at timestamptz,
  removed_at timestamptz,
  PRIMARY KEY (branch_id, id)
);
--> statement-breakpoint
CREATE UNIQUE INDEX till_guid ON till (guid);
--> statement-breakpoint
CREATE UNIQUE INDEX till_by_token ON till (token_hash);
--> statement-breakpoint
CREATE TABLE enrolment (
  id uuid PRIMARY KEY,
  branch_id uuid NOT NULL REFERENCES branch (id) ON DELETE CASCADE,
  name text NOT NULL,
  code_hash text NOT NULL,
  created_by uuid NOT NULL REFERENCES app_user (id),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  till_id uuid
);
--> statement-breakpoint
CREATE UNIQUE INDEX enrolment_code ON enrolment (code_hash);
--> statement-breakpoint
CREATE INDEX enrolment_expiry ON enrolment (expires_at);
--> statement-breakpoint
-- The last report of each till (decision 0079). The table is separate from `till`, whose row each hold locks: reports and holds
-- must not wait for each other.
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
  pos_user_id uuid
);
--> statement-breakpoint

-- Holds and the ledger.

-- One voucher, kept for one till. Ended holds stay: their id is never used again, and the till can learn how its hold ended.
CREATE TABLE hold (
  -- Made by the device: the idempotency key of all its messages about the hold.
  id uuid PRIMARY KEY,
  -- SHA-256 in hex. Checking a pattern of 64 characters would cost more than an index.
  secret_hash text NOT NULL CHECK (length(secret_hash) = 64),
  -- Null, like all columns up to ends_at, for a hold that was cancelled before it was made.
  voucher_id uuid REFERENCES voucher,
  organisation_id uuid,
  branch_id uuid,
  pos_user_id uuid REFERENCES app_user,
  session_id uuid REFERENCES session,
  till_id uuid,
  till_name text,
  since timestamptz,
  ends_at timestamptz,
  -- Null while the hold is open. Past its end, another till may take the voucher.
  became text CHECK (became IN (
    'redeemed', 'cancelled', 'released by merchant', 'released by provider', 'deactivated', 'taken over')),
  became_at timestamptz,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CHECK (num_nonnulls(voucher_id, organisation_id, branch_id, pos_user_id, session_id, till_id, till_name, since, ends_at) IN (0, 9)),
  CHECK ((became IS NULL) = (became_at IS NULL)),
  CHECK (voucher_id IS NOT NULL OR coalesce(became = 'cancelled', false))
);
--> statement-breakpoint
-- Only this index decides which till has a voucher.
CREATE UNIQUE INDEX hold_open ON hold (voucher_id) WHERE became IS NULL;
--> statement-breakpoint
CREATE INDEX hold_open_of_till ON hold (till_id) WHERE became IS NULL;
--> statement-breakpoint
CREATE INDEX hold_open_of_pos_user ON hold (pos_user_id) WHERE became IS NULL;
--> statement-breakpoint
CREATE INDEX hold_open_of_branch ON hold (organisation_id, branch_id) WHERE became IS NULL;
--> statement-breakpoint
CREATE INDEX hold_by_voucher ON hold (voucher_id) WHERE voucher_id IS NOT NULL;
--> statement-breakpoint
-- For the sweep of holds that were cancelled before they were made. All other holds stay, and are many more.
CREATE INDEX hold_unmade ON hold (became_at) WHERE voucher_id IS NULL;
--> statement-breakpoint
CREATE SEQUENCE receipt_no;
--> statement-breakpoint
CREATE TABLE redemption (
  id uuid PRIMARY KEY,
  voucher_id uuid NOT NULL REFERENCES voucher,
  organisation_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  pos_user_id uuid NOT NULL REFERENCES app_user,
  session_id uuid REFERENCES session,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  receipt_no bigint NOT NULL UNIQUE DEFAULT nextval('receipt_no'),
  redeemed_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  voided_at timestamptz,
  voided_by uuid REFERENCES app_user,
  -- Of the hold or grant under which the voucher was redeemed. The secret opens the receipt again.
  hold_secret_hash text CHECK (length(hold_secret_hash) = 64),
  till_id uuid,
  till_name text,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CHECK (redeemed_at <= recorded_at),
  CHECK ((voided_at IS NULL) = (voided_by IS NULL)),
  CONSTRAINT redemption_till
    CHECK (num_nonnulls(till_id, till_name) IN (0, 2) AND (hold_secret_hash IS NULL OR till_id IS NOT NULL))
);
--> statement-breakpoint
-- A voucher is redeemed at most once, even if the code has a mistake.
CREATE UNIQUE INDEX redemption_one_per_voucher ON redemption (voucher_id) WHERE voided_at IS NULL;
--> statement-breakpoint
-- For the history of a voucher.
CREATE INDEX redemption_by_voucher ON redemption (voucher_id, redeemed_at, id);
--> statement-breakpoint
CREATE INDEX redemption_by_branch ON redemption (branch_id, redeemed_at, id);
--> statement-breakpoint
-- Also finds out if an account that is to be deleted has redemptions.
CREATE INDEX redemption_by_pos_user_day ON redemption (pos_user_id, redeemed_at, id);
--> statement-breakpoint
-- Reports and the dashboard add up redemptions that were not voided, by time. This index contains all they need. Nothing else looks
-- for the redemptions of an organisation, so there is no other index for it.
CREATE INDEX redemption_org_redeemed_at ON redemption (organisation_id, redeemed_at, id) INCLUDE (branch_id, amount_cents)
  WHERE voided_at IS NULL;
--> statement-breakpoint
-- Two small indexes for the lists of voided redemptions of an organisation and of a branch.
CREATE INDEX redemption_org_voided ON redemption (organisation_id, redeemed_at, id) WHERE voided_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX redemption_branch_voided ON redemption (branch_id, redeemed_at, id) WHERE voided_at IS NOT NULL;
--> statement-breakpoint
-- Few redemptions are voided, each of them within minutes.
CREATE INDEX redemption_voided ON redemption (voided_at) WHERE voided_at IS NOT NULL;
--> statement-breakpoint
-- The ledger grows at its end, so each block has rows that were recorded at about the same time.
CREATE INDEX redemption_recorded_at ON redemption USING brin (recorded_at);
--> statement-breakpoint
-- Redemptions that a till uploaded after it was revoked, or that a person settled for a till. They count, and a merchant reviews
-- them (decision 0079).
CREATE TABLE late_upload (
  redemption_id uuid PRIMARY KEY REFERENCES redemption (id),
  till_guid uuid NOT NULL REFERENCES till (guid),
  -- The person who settled the redemption for its till, and the reason.
  settled_by uuid REFERENCES app_user (id),
  reason text,
  reviewed_at timestamptz,
  reviewed_by uuid REFERENCES app_user (id),
  CHECK ((settled_by IS NULL) = (reason IS NULL)),
  CHECK (num_nonnulls(reviewed_at, reviewed_by) IN (0, 2))
);
--> statement-breakpoint
CREATE INDEX late_upload_by_till ON late_upload (till_guid);
--> statement-breakpoint
-- The ledger is sealed batch by batch. Each seal is a hash of its entries and of the seal before. So a row that was changed or
-- deleted in spite of the trigger breaks the chain from there on (VCH-13).
CREATE TABLE ledger_seal (
  number bigint PRIMARY KEY CHECK (number > 0),
  sealed_at timestamptz NOT NULL,
  -- The highest receipt number in the seal; without one, that of the seal before.
  last_receipt_no bigint NOT NULL,
  -- 0 if there was nothing to seal: this proves that earlier redemptions were not voided within their time (rule 9.20).
  entries integer NOT NULL CHECK (entries >= 0),
  -- Redeemed minus voided.
  cents bigint NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32)
);
--> statement-breakpoint
-- The seal of each entry. A redemption is sealed once as redeemed, and once more if it is voided. Receipt numbers do not tell the
-- seal, because rows become visible in another order.
CREATE TABLE sealed_entry (
  redemption_id uuid NOT NULL REFERENCES redemption,
  kind text NOT NULL CHECK (kind IN ('redeemed', 'voided')),
  seal bigint NOT NULL REFERENCES ledger_seal,
  PRIMARY KEY (redemption_id, kind)
);
--> statement-breakpoint
CREATE INDEX sealed_entry_by_seal ON sealed_entry (seal);
--> statement-breakpoint

-- The offline allowance.

-- The amounts that the tills of a branch may accept without a check, at the shop's risk (decision 0092). Without a row or rules,
-- tills may accept nothing.
CREATE TABLE branch_allowance (
  branch_id uuid PRIMARY KEY REFERENCES branch ON DELETE CASCADE,
  organisation_id uuid NOT NULL REFERENCES organisation,
  rules jsonb
);
--> statement-breakpoint
-- The total that a device has ever accepted, as far as the server knows. A device that is enrolled again gets a new row.
CREATE TABLE allowance_count (
  organisation_id uuid NOT NULL REFERENCES organisation,
  till_id uuid NOT NULL,
  -- Hash of the token in the device's cookie.
  key text NOT NULL,
  -- The device's total when the count began, plus all cents that have arrived since.
  counted_cents bigint NOT NULL,
  -- The last total that the device sent. It is below the count if the storage of the device was restored.
  reported_cents bigint NOT NULL,
  PRIMARY KEY (organisation_id, till_id, key)
);
--> statement-breakpoint
-- Every grant. Rows are never deleted, and only closed_at changes.
CREATE TABLE allowance_grant (
  id uuid PRIMARY KEY,
  -- SHA-256 in hex. The secret proves that a device accepted under this grant.
  secret_hash text NOT NULL CHECK (secret_hash ~ '^[0-9a-f]{64}$'),
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
  organisation_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  till_id uuid NOT NULL,
  till_guid uuid NOT NULL REFERENCES till (guid),
  key text NOT NULL,
  voucher_cents integer NOT NULL,
  -- The limit of the total that the device may ever have accepted.
  total_cents bigint NOT NULL,
  issued_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- Set when the device is known to have a later grant, or when its till is revoked by a person who was told the open amount.
  closed_at timestamptz,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id)
);
--> statement-breakpoint
CREATE INDEX allowance_grant_out ON allowance_grant (branch_id) WHERE closed_at IS NULL;
--> statement-breakpoint
CREATE INDEX allowance_grant_out_of_till ON allowance_grant (till_guid) WHERE closed_at IS NULL;
--> statement-breakpoint
CREATE INDEX allowance_grant_of_device ON allowance_grant (organisation_id, till_id) WHERE closed_at IS NULL;
--> statement-breakpoint
-- Vouchers that tills accepted without a check and have uploaded. Only those with the outcome `redeemed` are in the ledger.
CREATE TABLE accepted_voucher (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  branch_id uuid NOT NULL,
  till_id uuid NOT NULL,
  till_guid uuid NOT NULL REFERENCES till (guid),
  till_name text NOT NULL,
  -- An account that may be deleted by now.
  pos_user_id uuid NOT NULL,
  grant_id uuid NOT NULL REFERENCES allowance_grant,
  serial text NOT NULL,
  cents integer NOT NULL,
  -- By the clock of the device, within its grant.
  accepted_at timestamptz NOT NULL,
  arrived_at timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('redeemed', 'lost', 'review')),
  reason text,
  -- For a lost voucher: when it was used or revoked.
  used_at timestamptz,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CHECK ((reason IS NULL) = (outcome = 'redeemed'))
);
--> statement-breakpoint
CREATE INDEX accepted_voucher_arrived ON accepted_voucher (branch_id, arrived_at);
--> statement-breakpoint
CREATE INDEX accepted_voucher_to_review ON accepted_voucher (grant_id) WHERE outcome = 'review';
--> statement-breakpoint
CREATE INDEX accepted_voucher_org_loss ON accepted_voucher (organisation_id, accepted_at, id) WHERE outcome IN ('lost', 'review');
--> statement-breakpoint

-- Reports, mail and files.

-- The months whose summary is processed. The key decides which of several servers processes a month.
CREATE TABLE monthly_summary (
  organisation_id uuid NOT NULL REFERENCES organisation,
  -- 2026-10: a Singapore month.
  month text NOT NULL CHECK (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
  -- 0 for an organisation that wanted no summary.
  mails integer NOT NULL CHECK (mails >= 0),
  at timestamptz NOT NULL,
  PRIMARY KEY (organisation_id, month)
);
--> statement-breakpoint
-- What a merchant is owed for a closed month (rule 10.9). Once made, only its payment is added, once.
CREATE TABLE statement (
  organisation_id uuid NOT NULL REFERENCES organisation,
  -- 2026-10: a Singapore month.
  month text NOT NULL CHECK (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
  made_at timestamptz NOT NULL,
  -- A total below zero of the statement before.
  brought_forward_cents bigint NOT NULL CHECK (brought_forward_cents <= 0),
  -- The lines and what was brought forward.
  total_cents bigint NOT NULL,
  -- A Singapore day; empty where nothing is to be paid.
  due_on date,
  paid_on date,
  -- The bank's, for the merchant to find the payment by.
  reference text,
  PRIMARY KEY (organisation_id, month),
  CONSTRAINT statement_due CHECK ((due_on IS NOT NULL) = (total_cents > 0)),
  CONSTRAINT statement_paid CHECK ((paid_on IS NULL) = (reference IS NULL) AND (paid_on IS NULL OR due_on IS NOT NULL))
);
--> statement-breakpoint
-- What a branch adds. A line of an earlier month than the statement's is a correction, and may be below zero.
CREATE TABLE statement_line (
  organisation_id uuid NOT NULL,
  month text NOT NULL,
  branch_id uuid NOT NULL,
  redeemed_month text NOT NULL CHECK (redeemed_month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
  vouchers integer NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (organisation_id, month, branch_id, redeemed_month),
  FOREIGN KEY (organisation_id, month) REFERENCES statement,
  FOREIGN KEY (organisation_id, branch_id) REFERENCES branch (organisation_id, id),
  CONSTRAINT statement_line_month CHECK (redeemed_month <= month)
);
--> statement-breakpoint
CREATE TABLE mail_outbox (
  id uuid PRIMARY KEY,
  to_address text NOT NULL,
  kind text NOT NULL CHECK (kind IN (
    'reset', 'password_changed', 'activation', 'invitation', 'new_login', 'account_locked', 'mfa_changed',
    'application_received', 'account_exists', 'onboarding_received', 'review', 'authorised', 'authorisation_rejected', 'monthly_summary',
    'email_change', 'email_changed', 'payment_made')),
  subject text NOT NULL,
  -- Both are erased once the mail is sent or given up, because they may contain a link.
  text text,
  html text,
  created_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL,
  give_up_at timestamptz NOT NULL,
  sent_at timestamptz,
  -- Why the last attempt failed; null while the mail is being sent.
  last_error text,
  -- Set when the mail server will never take the mail. Then only the desk can send it again, until it is given up.
  refused_at timestamptz,
  -- The attached report; erased with the text.
  attachment_name text,
  attachment_type text,
  attachment bytea,
  -- The organisation and month of a summary, so that the merchant can see if it was sent.
  organisation_id uuid REFERENCES organisation,
  month text CHECK (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
  CHECK ((text IS NULL) = (html IS NULL)),
  CHECK (sent_at IS NULL OR text IS NULL),
  CHECK (num_nonnulls(attachment_name, attachment_type, attachment) IN (0, 3)),
  CHECK (text IS NOT NULL OR attachment IS NULL),
  CHECK (num_nonnulls(organisation_id, month) IN (0, 2))
);
--> statement-breakpoint
CREATE INDEX mail_outbox_waiting ON mail_outbox (next_at) WHERE text IS NOT NULL;
--> statement-breakpoint
CREATE INDEX mail_outbox_summaries ON mail_outbox (organisation_id, month) WHERE organisation_id IS NOT NULL;
--> statement-breakpoint
-- Files of the programme. They are small and few, so the database contains them, and the backup needs no other place.
CREATE TABLE resource (
  id uuid PRIMARY KEY,
  title text NOT NULL,
  description text NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 10485760),
  size integer NOT NULL GENERATED ALWAYS AS (length(content)) STORED,
  updated_at timestamptz NOT NULL,
  -- Null while the file is hidden.
  published_at timestamptz
);
--> statement-breakpoint

-- The activity log.

-- Who did what, and when. Rows are only added.
CREATE TABLE activity (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  -- The organisation whose log has the entry; null for entries about the programme.
  organisation_id uuid REFERENCES organisation,
  -- Null for the provider. There is no foreign key, because the log outlives accounts: one without history can be deleted, but its
  -- refused logins stay in the log.
  user_id uuid,
  -- A login name, or "Provider".
  actor text NOT NULL,
  via text NOT NULL CHECK (via IN ('portal', 'review link', 'command line')),
  device text,
  action text NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  details jsonb NOT NULL,
  -- The name at that time. A voucher has only its last digits: no log has a full serial.
  subject_name text NOT NULL DEFAULT '',
  -- The branch that the entry concerns, if any.
  branch_id uuid
);
--> statement-breakpoint
-- An index for each filter of the log, in the order in which entries are read.
CREATE INDEX activity_by_organisation ON activity (organisation_id, at, id);
--> statement-breakpoint
CREATE INDEX activity_by_subject ON activity (organisation_id, subject_id, at, id);
--> statement-breakpoint
CREATE INDEX activity_by_user ON activity (organisation_id, user_id, at, id);
--> statement-breakpoint
CREATE INDEX activity_by_branch ON activity (organisation_id, branch_id, at, id);
--> statement-breakpoint
CREATE INDEX activity_by_action ON activity (organisation_id, action, at, id);
--> statement-breakpoint

-- Rows that never change.

-- Arguments: what a change is told. If some columns can be set once, also what a second time and other columns are told, and the columns.
CREATE FUNCTION row_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_NARGS = 1 OR TG_OP = 'DELETE' THEN
    RAISE EXCEPTION '%', TG_ARGV[0];
  END IF;
  IF to_jsonb(OLD) ->> TG_ARGV[3] IS NOT NULL THEN
    RAISE EXCEPTION '%', TG_ARGV[1];
  END IF;
  IF (to_jsonb(NEW) - TG_ARGV[3:]) IS DISTINCT FROM (to_jsonb(OLD) - TG_ARGV[3:]) THEN
    RAISE EXCEPTION '%', TG_ARGV[2];
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER redemption_append_only BEFORE UPDATE OR DELETE ON redemption
  FOR EACH ROW EXECUTE FUNCTION row_is_append_only('a ledger row is never deleted', 'a ledger row is voided once',
    'only the void columns of a ledger row can be set', 'voided_at', 'voided_by');
--> statement-breakpoint
CREATE TRIGGER ledger_seal_append_only BEFORE UPDATE OR DELETE ON ledger_seal
  FOR EACH ROW EXECUTE FUNCTION row_is_append_only('a seal of the ledger is never changed or deleted');
--> statement-breakpoint
CREATE TRIGGER sealed_entry_append_only BEFORE UPDATE OR DELETE ON sealed_entry
  FOR EACH ROW EXECUTE FUNCTION row_is_append_only('a seal of the ledger is never changed or deleted');
--> statement-breakpoint
CREATE TRIGGER statement_append_only BEFORE UPDATE OR DELETE ON statement
  FOR EACH ROW EXECUTE FUNCTION row_is_append_only('a statement is never changed or deleted', 'a statement is paid once',
    'only the payment of a statement can be set', 'paid_on', 'reference');
--> statement-breakpoint
CREATE TRIGGER statement_line_append_only BEFORE UPDATE OR DELETE ON statement_line
  FOR EACH ROW EXECUTE FUNCTION row_is_append_only('a statement is never changed or deleted');
--> statement-breakpoint
CREATE TRIGGER activity_append_only BEFORE UPDATE OR DELETE ON activity
  FOR EACH ROW EXECUTE FUNCTION row_is_append_only('a row of the activity log is never changed or deleted');
--> statement-breakpoint
CREATE TRIGGER activity_never_emptied BEFORE TRUNCATE ON activity
  FOR EACH STATEMENT EXECUTE FUNCTION row_is_append_only('a row of the activity log is never changed or deleted');
--> statement-breakpoint

-- A second wall between organisations (decision 0040), beside the scope of every query. Policies do not limit the owner of the
-- tables, as which the portal migrates, logs people in and works for all organisations. Calls of a tenant run as another role
-- (server/db/engine/TenantPool.ts). It sees the rows of one organisation, and no rows before the organisation is set.

CREATE FUNCTION current_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('portal.organisation', true), '')::uuid;
--> statement-breakpoint
-- The subquery runs once per query, and leaves a plain comparison that can use an index.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'branch', 'app_user', 'upload', 'application', 'onboarding', 'onboarding_draft', 'review', 'hold', 'redemption', 'branch_allowance', 'allowance_count', 'allowance_grant', 'accepted_voucher', 'monthly_summary',
    'activity'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant ON %I USING (organisation_id = (SELECT current_tenant()))', name);
  END LOOP;
END
$$;
--> statement-breakpoint
-- Only the portal makes statements.
ALTER TABLE statement ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON statement FOR SELECT USING (organisation_id = (SELECT current_tenant()));
--> statement-breakpoint
ALTER TABLE statement_line ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON statement_line FOR SELECT USING (organisation_id = (SELECT current_tenant()));
--> statement-breakpoint
ALTER TABLE organisation ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON organisation USING (id = (SELECT current_tenant()));
--> statement-breakpoint
-- Rows of a person are visible with the person: the policy above on app_user applies here, too.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'session', 'password_history', 'password_link', 'login_challenge', 'mfa', 'mfa_setup', 'recovery_code',
    'known_device'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant ON %I USING (EXISTS (SELECT FROM app_user WHERE app_user.id = user_id))', name);
  END LOOP;
END
$$;
--> statement-breakpoint
-- A till is visible with its branch, and rows of a till with the till.
ALTER TABLE till ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON till USING (EXISTS (SELECT FROM branch WHERE branch.id = branch_id));
--> statement-breakpoint
ALTER TABLE enrolment ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON enrolment USING (EXISTS (SELECT FROM branch WHERE branch.id = branch_id));
--> statement-breakpoint
ALTER TABLE device_report ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON device_report USING (EXISTS (SELECT FROM till WHERE till.guid = till_guid));
--> statement-breakpoint
ALTER TABLE late_upload ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON late_upload USING (EXISTS (SELECT FROM till WHERE till.guid = till_guid));
--> statement-breakpoint
-- An unused voucher is money. So a tenant sees only vouchers that it has used, holds or has had, by its own ledger and holds. A
-- search by serial runs as the portal. A function of the owner checks the past: it is cheap to plan, and only runs for vouchers
-- that are not the tenant's now. A condition inside the policy would make every page of the voucher table take half as long again.
CREATE FUNCTION tenant_has_had(voucher uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER COST 1
  SET search_path = public, pg_temp
BEGIN ATOMIC
  SELECT EXISTS (SELECT FROM redemption WHERE voucher_id = tenant_has_had.voucher AND organisation_id = current_tenant())
    OR EXISTS (SELECT FROM hold WHERE voucher_id = tenant_has_had.voucher AND organisation_id = current_tenant());
END;
--> statement-breakpoint
ALTER TABLE voucher ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY tenant ON voucher FOR SELECT USING (organisation_id = (SELECT current_tenant()) OR tenant_has_had(id));

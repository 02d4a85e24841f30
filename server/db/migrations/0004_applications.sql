-- What a merchant can offer. The ids are fixed: they stand in stored onboardings.
CREATE TABLE product_service_category (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  -- In the list; "Others" comes last.
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
-- Numbers of merchants that the portal takes on; those given out by hand are stepped over.
CREATE SEQUENCE merchant_no START 100500;
--> statement-breakpoint
CREATE TABLE application (
  -- Chosen by the applicant's browser: the same id again is the same application.
  id uuid PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email)),
  data jsonb NOT NULL,
  terms_version text NOT NULL,
  submitted_at timestamptz NOT NULL,
  -- Empty until the work after the answer is done.
  processed_at timestamptz,
  -- Stays empty where the e-mail had an account already.
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
CREATE TABLE review (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisation,
  subject text NOT NULL CHECK (subject IN ('application', 'onboarding')),
  -- As it was submitted: what is decided on does not change under the reviewer.
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
-- One submission is in force, whatever the code above does.
CREATE UNIQUE INDEX review_one_current ON review (organisation_id) WHERE NOT superseded;
--> statement-breakpoint
-- Who did what, and when. Rows are only ever added.
CREATE TABLE activity (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  -- Whose log it belongs to; empty for what the provider did for nobody in particular.
  organisation_id uuid REFERENCES organisation,
  -- Empty for the provider.
  user_id uuid REFERENCES app_user,
  -- As it is shown: a sign-in name, or "Provider".
  actor text NOT NULL,
  via text NOT NULL CHECK (via IN ('portal', 'review link', 'command line')),
  device text,
  action text NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  details jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX activity_by_organisation ON activity (organisation_id, at, id);
--> statement-breakpoint
CREATE FUNCTION activity_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of the activity log is never changed or deleted';
END
$$;
--> statement-breakpoint
CREATE TRIGGER activity_append_only BEFORE UPDATE OR DELETE ON activity
  FOR EACH ROW EXECUTE FUNCTION activity_is_append_only();
--> statement-breakpoint
ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_kind_check;
--> statement-breakpoint
ALTER TABLE mail_outbox ADD CONSTRAINT mail_outbox_kind_check CHECK (kind IN (
  'reset', 'password_changed', 'activation', 'invitation', 'new_sign_in', 'account_locked', 'mfa_changed',
  'application_received', 'account_exists', 'review', 'authorised', 'authorisation_rejected'));

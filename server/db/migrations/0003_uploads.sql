-- One row for each address given out; the bytes are in the file store.
CREATE TABLE upload (
  key text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('profile_logo', 'brand_logo', 'merchant_agreement')),
  -- Both are empty for a file of an application: there is no account yet.
  organisation_id uuid REFERENCES organisation,
  user_id uuid REFERENCES app_user,
  content_type text NOT NULL,
  size integer NOT NULL CHECK (size > 0),
  -- As the person's device calls it: to show, never to find it by.
  filename text NOT NULL,
  -- Pixels of an image, pages of a PDF; known once it was checked.
  width integer,
  height integer,
  pages integer,
  -- Of the bytes as they are served, once they were checked.
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  state text NOT NULL CHECK (state IN ('pending', 'confirmed', 'refused')),
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  -- When the sweeper has seen to what the address brought.
  swept_at timestamptz,
  CHECK ((organisation_id IS NULL) = (user_id IS NULL)),
  CHECK ((state = 'confirmed') = (confirmed_at IS NOT NULL)),
  CHECK (state <> 'confirmed' OR sha256 IS NOT NULL)
);
--> statement-breakpoint
CREATE INDEX upload_unswept ON upload (created_at) WHERE swept_at IS NULL;
--> statement-breakpoint
CREATE TABLE captcha_proof (
  proof_hash text PRIMARY KEY CHECK (proof_hash ~ '^[0-9a-f]{64}$'),
  -- What it was given for: a token or a solved challenge is worth one proof.
  source_hash text NOT NULL UNIQUE CHECK (source_hash ~ '^[0-9a-f]{64}$'),
  action text NOT NULL CHECK (action IN ('signup', 'upload')),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- Until its source can no longer be shown again.
  kept_until timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX captcha_proof_by_end ON captcha_proof (kept_until);

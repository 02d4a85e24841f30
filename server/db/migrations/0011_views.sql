-- How somebody looks at a list: search, filters, order and columns under a name. `state` is read field by field, so that a column
-- that goes takes no view with it.
CREATE TABLE saved_view (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisation,
  owner_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  list text NOT NULL,
  name text NOT NULL,
  shared boolean NOT NULL,
  state jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  revision integer NOT NULL DEFAULT 0
);
--> statement-breakpoint
CREATE UNIQUE INDEX saved_view_by_name ON saved_view (owner_id, list, lower(name));
--> statement-breakpoint
CREATE INDEX saved_view_shared ON saved_view (organisation_id) WHERE shared;
--> statement-breakpoint
-- What a list opens with for somebody: a view of theirs, or one shared with them.
CREATE TABLE default_view (
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  list text NOT NULL,
  view_id uuid NOT NULL REFERENCES saved_view ON DELETE CASCADE,
  PRIMARY KEY (user_id, list)
);
--> statement-breakpoint
CREATE INDEX default_view_by_view ON default_view (view_id);

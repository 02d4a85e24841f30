-- Holds that were cancelled before they were made are swept; those that were made stay, and are many more.
CREATE INDEX ended_hold_unmade ON ended_hold (ended_at) WHERE voucher_id IS NULL;

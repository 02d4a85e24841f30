/** What the fields of a brand are called, in the dialog and where an error names one from outside. */
export const BRAND_LABELS = {
  name: 'Brand name',
  website: 'Website',
  logo: 'Logo',
  outlet_type: 'Which outlets take part?',
  non_participating_outlets: 'Outlets that do not take part',
  outlets_participating: 'Number of outlets taking part',
  terminal_types: 'Cashier terminal types',
  industry_type: 'Industry type',
  contact_name: 'Contact person',
  contact_designation: 'Designation',
  contact_number: 'Contact number',
  contact_email: 'Contact email',
} as const

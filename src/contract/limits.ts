/** Numbers that browser and server both enforce. docs/RULES.md has most of them. */
export const LIMITS = {
  /** Masters that are Active or Pending Activation. */
  openMasters: 5,
  /** Whole months a transaction report may span. */
  transactionReportMonths: 2,
  /** Whole months a monthly report may span: one year. */
  monthlyReportMonths: 12,
  /** Rows of a report that its preview shows. */
  previewRows: 10,
  /** Branches that the dashboard names; all others are one row. */
  namedBranches: 10,
  /** Rule 11.2. */
  tablePageSize: 100,
  tableDeepestStart: 10_000,
  tableCountedRows: 10_000,
  listRows: 1_000,
  /** Compact JWE of a 128-character password with its nonce stays under this. */
  jweLength: 4_096,
  nameLength: 100,
  tillNameLength: 30,
  addressLength: 300,
  reasonLength: 1_000,
  /** Of one application (SGN-05). */
  brands: 50,
  outlets: 500,
  categories: 30,
  /** Kilobytes of 1,024 bytes, as file managers count. */
  profileLogoKb: 50,
  profileLogoWidth: 100,
  profileLogoHeight: 50,
  profileLogoLeast: 10,
  brandLogoKb: 100,
  brandLogoLeastWidth: 60,
  brandLogoLeastHeight: 40,
  agreementMb: 5,
  /** Rule 13.1: the brand logo's 3:2 may be off by this much. */
  brandLogoRatioPercent: 1,
  /** Rule 9.8, for the holds of one till and of one POS user alike. */
  openHolds: 15,
  /** Of one call of a till: what became of its holds. */
  syncRows: 100,
  holdHours: 24,
  /** Rule 9.21: then the programme ends a hold that nobody has redeemed or taken over. */
  holdDays: 90,
  /** A till with vouchers that are not uploaded is a notice after this long without a word. */
  silentHours: 1,
  /** A code that enrols a device works once, and this long. */
  enrolmentMinutes: 15,
  /** Rule 10.7: a month is closed so long after its end, which is the last upload of a hold and a margin. */
  monthClosesHours: 30,
  confirmMinutes: 10,
  voidMinutes: 5,
  /** How many notices of a kind there are, and how long ago something may have happened that is one. */
  notices: 10,
  noticeDays: 30,
  /** What went wrong, kept on one device and told in one call. */
  troubles: 50,
  /** Of one imported file. */
  importRows: 5_000,
  importMb: 5,
  /** Rows of it that travel in one request. */
  importBatch: 50,
} as const

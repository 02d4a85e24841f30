/** Limits that browser and server both enforce. docs/RULES.md has most of them. */
export const LIMITS = {
  /** The number of masters that may be Active or Pending Activation. */
  openMasters: 5,
  /** The number of whole months that a transaction report may span. */
  transactionReportMonths: 2,
  /** The number of whole months that a monthly report may span: one year. */
  monthlyReportMonths: 12,
  /** The number of rows in the preview of a report. */
  previewRows: 10,
  /** The number of branches that the dashboard names; all others share one row. */
  namedBranches: 10,
  /** Rule 11.2: the rows of a page, the last start of a page, the highest exact total, and the rows of a list without pages. */
  tablePageSize: 100,
  tableDeepestStart: 10_000,
  tableCountedRows: 10_000,
  listRows: 1_000,
  /** The longest encrypted password, in characters: a compact JWE of 128 characters and a nonce is shorter. */
  jweLength: 4_096,
  nameLength: 100,
  tillNameLength: 30,
  addressLength: 300,
  reasonLength: 1_000,
  /** The most brands of an application (SGN-05), outlets that a brand lists, and categories of a merchant. */
  brands: 50,
  outlets: 500,
  categories: 30,
  /** A draft of an onboarding: the most fields, and the days for which it is kept unchanged. */
  draftFields: 100,
  draftDays: 90,
  /** Sizes in kilobytes of 1,024 bytes; widths and heights in pixels. */
  profileLogoKb: 50,
  profileLogoWidth: 100,
  profileLogoHeight: 50,
  profileLogoLeast: 10,
  brandLogoKb: 100,
  brandLogoLeastWidth: 60,
  brandLogoLeastHeight: 40,
  agreementMb: 5,
  /** Rule 13.1: how far a brand logo may be from 3:2. */
  brandLogoRatioPercent: 1,
  /** Rule 9.8: the most open holds of one till, and of one POS user. */
  openHolds: 15,
  /** The number of rows in one call of a till that settles holds. */
  syncRows: 100,
  holdHours: 24,
  /** Rule 9.21: after this time the programme ends a hold that was neither redeemed nor taken over. */
  holdDays: 90,
  /** A till with vouchers to upload gets a notice after this time without a report. */
  silentHours: 1,
  /** A code that enrols a device works once, for this long. */
  enrolmentMinutes: 15,
  /** Rule 10.7: a month is closed this long after its end, which allows for the last upload of a hold and a margin. */
  monthClosesHours: 30,
  /** The email about an application can be sent again once in this time. */
  resendMinutes: 30,
  confirmMinutes: 10,
  voidMinutes: 5,
  /** The number of notices of each kind, and the age of the oldest event that becomes one. */
  notices: 10,
  noticeDays: 30,
  /** The number of problems that a device keeps and reports in one call. */
  troubles: 50,
  /** The largest imported file. */
  importRows: 5_000,
  importMb: 5,
  /** The most rows of a file in one request. */
  importBatch: 50,
} as const

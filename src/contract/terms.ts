/** Of the terms and conditions in force: what an applicant has to accept. */
export const TERMS_VERSION = '1.0'

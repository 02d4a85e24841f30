/** `R-000042`: what is printed and read out over the phone. */
export const receiptNumber = (receiptNo: number | string): string => `R-${String(receiptNo).padStart(6, '0')}`

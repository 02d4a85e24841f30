/**
 * Banks that a merchant in Singapore is likely to name, with the bank codes of the interbank payment system. The form suggests the code, which can be
 * changed; the name of any other bank is typed.
 */
export const SINGAPORE_BANKS: readonly { name: string; code: string }[] = [
  { name: 'ANEXT Bank', code: '9742' },
  { name: 'Bank of China', code: '7083' },
  { name: 'CIMB Bank', code: '7986' },
  { name: 'Citibank', code: '7214' },
  { name: 'DBS Bank', code: '7171' },
  { name: 'GXS Bank', code: '9751' },
  { name: 'HSBC', code: '7232' },
  { name: 'Industrial and Commercial Bank of China', code: '8712' },
  { name: 'MariBank', code: '9779' },
  { name: 'Maybank', code: '7302' },
  { name: 'OCBC Bank', code: '7339' },
  { name: 'POSB', code: '7171' },
  { name: 'RHB Bank', code: '7366' },
  { name: 'Standard Chartered Bank', code: '9496' },
  { name: 'Trust Bank', code: '9733' },
  { name: 'UOB', code: '7375' },
]

export const isListedBank = (name: string): boolean => SINGAPORE_BANKS.some((bank) => bank.name === name)

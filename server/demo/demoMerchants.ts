/** Names are invented. `till-1` and `branch@` belong to Tampines Central (DESIGN §8). */
export const DEMO_PASSWORD = 'Demo-Portal-2026!'

export const MERCHANT_ACCOUNTS = {
  main: 'main@demo.example',
  master: 'master@demo.example',
  adhoc: 'adhoc@demo.example',
  branch: 'branch@demo.example',
  pending: 'pending@demo.example',
} as const

export const POS_ACCOUNT = 'till-1'

export const KOPI_AND_GRAIN = {
  merchantId: '100200',
  name: 'Kopi & Grain Pte. Ltd.',
  branches: [
    { name: 'Tampines Central', tills: [POS_ACCOUNT, 'till-2'], managed: true },
    { name: 'Bedok North', tills: ['till-3'], managed: true },
    { name: 'Pasir Ris', tills: ['till-4'], managed: true },
    { name: 'Jurong East', tills: ['till-5', 'till-6'], managed: false },
    { name: 'Woodlands', tills: ['till-7'], managed: false },
    { name: 'Toa Payoh', tills: ['till-8'], managed: false },
  ],
} as const

export const EVENT_STALL = {
  merchantId: '100300',
  name: 'Green Basket Event Stall',
  branches: [{ name: 'Bishan Park Stall', tills: ['stall-1'], managed: false }],
} as const

export const APPLICANT = { merchantId: '100400', name: 'Ang Mo Kio Fresh Juice LLP' } as const

// The merchants of the demo; all names are invented. `till-1` and `branch@` belong to Tampines Central (rule 17.3).

export const DEMO_PASSWORD = 'Demo-Portal-2026!'

/** The PIN of every branch. It begins like the default PIN, so it is flagged as weak. */
export const DEMO_PIN = '100123'

export const MERCHANT_ACCOUNTS = {
  main: 'main@demo.example',
  master: 'master@demo.example',
  adhoc: 'adhoc@demo.example',
  branch: 'branch@demo.example',
  pending: 'pending@demo.example',
} as const

export const POS_ACCOUNT = 'till-1'

export interface DemoBranch {
  name: string
  code: string
  address: string
  postalCode: string
  tills: readonly string[]
  /** True if `master@` manages it. */
  managed?: boolean
  /** The branch's own account. */
  login: { email: string; status: 'Active' | 'Pending Activation' }
  status?: 'Inactive'
  /** First and last day of an adhoc branch, counted from today. */
  days?: readonly [number, number]
}

const activeLogin = (email: string) => ({ email, status: 'Active' }) as const
const pendingLogin = (email: string) => ({ email, status: 'Pending Activation' }) as const

const KOPI_BRANCHES: readonly DemoBranch[] = [
  {
    name: 'Tampines Central',
    code: 'TPC-01',
    address: '4 Tampines Central 5, #02-14',
    postalCode: '529510',
    tills: [POS_ACCOUNT, 'till-2'],
    managed: true,
    login: activeLogin(MERCHANT_ACCOUNTS.branch),
  },
  {
    name: 'Bedok North',
    code: 'BDN-01',
    address: '216 Bedok North Street 1, #01-03',
    postalCode: '460216',
    tills: ['till-3'],
    managed: true,
    login: activeLogin('bedok@demo.example'),
  },
  {
    name: 'Pasir Ris',
    code: 'PSR-01',
    address: '1 Pasir Ris Central Street 3, #03-08',
    postalCode: '518457',
    tills: ['till-4'],
    managed: true,
    login: pendingLogin('pasir-ris@demo.example'),
  },
  {
    name: 'Jurong East',
    code: 'JRE-01',
    address: '50 Jurong Gateway Road, #B1-21',
    postalCode: '608549',
    tills: ['till-5', 'till-6'],
    login: activeLogin('jurong@demo.example'),
  },
  {
    name: 'Woodlands',
    code: 'WDL-01',
    address: '1 Woodlands Square, #04-11',
    postalCode: '738099',
    tills: ['till-7'],
    login: activeLogin('woodlands@demo.example'),
  },
  {
    name: 'Toa Payoh',
    code: 'TPY-01',
    address: '190 Lorong 6 Toa Payoh, #01-506',
    postalCode: '310190',
    tills: ['till-8'],
    login: activeLogin('toa-payoh@demo.example'),
  },
  {
    name: 'Clementi',
    code: 'CLM-01',
    address: '3155 Commonwealth Avenue West, #02-30',
    postalCode: '129588',
    tills: [],
    login: activeLogin('clementi@demo.example'),
    status: 'Inactive',
  },
  {
    name: 'Orchard Pop-up',
    code: 'ORC-A1',
    address: '2 Orchard Turn, Level 1 Atrium',
    postalCode: '238801',
    tills: ['popup-1'],
    login: pendingLogin('popup@demo.example'),
    days: [-3, 11],
  },
]

export const KOPI_AND_GRAIN = {
  merchantId: '101',
  name: 'Kopi & Grain Pte. Ltd.',
  registrationNumber: '201912345R',
  address: '4 Tampines Central 5, #02-14, Singapore 529510',
  contactName: 'Nadia Rahim',
  summaryRecipients: ['accounts@kopigrain.example', 'nadia.rahim@kopigrain.example'],
  branches: KOPI_BRANCHES,
  /** More masters, beside `master@`. */
  masters: [
    { name: 'North Region Master', email: 'north@demo.example', status: 'Pending Activation' },
    { name: 'West Region Master', email: 'west@demo.example', status: 'Inactive' },
  ],
} as const

const STALL: readonly DemoBranch[] = [
  {
    name: 'Bishan Park Stall',
    code: 'BSP-01',
    address: '1384 Ang Mo Kio Avenue 1',
    postalCode: '569931',
    tills: ['stall-1'],
    login: activeLogin('stall@demo.example'),
  },
]

export const EVENT_STALL = { merchantId: '102', name: 'Green Basket Event Stall', branches: STALL } as const

export const APPLICANT = { merchantId: '103', name: 'Ang Mo Kio Fresh Juice LLP' } as const

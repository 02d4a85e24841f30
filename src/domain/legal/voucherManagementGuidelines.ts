import type { LegalDocument } from './LegalDocument.ts'

export const VOUCHER_MANAGEMENT_GUIDELINES: LegalDocument = {
  title: 'Voucher management guidelines',
  version: '1.0',
  inForceFrom: '2026-11-21',
  intro: [
    'These guidelines say how vouchers of the health rewards programme are handled in daily work: at the counter, in the office, and when something goes wrong. They are part of the agreement with each merchant.',
    'A voucher is money. Three sentences explain most of what follows: a voucher is redeemed at most once; a redemption that was confirmed is never lost; and nothing is redeemed until the screen says so.',
  ],
  sections: [
    {
      title: 'Know a voucher',
      clauses: [
        'A voucher has a serial number of 13 digits, printed as a barcode (EAN-13) and as a QR code. The amount and the last day of validity are stated on it.',
        {
          text: 'In the portal a voucher has one of these states:',
          items: [
            'Active: it can be redeemed;',
            'Used: it was redeemed, and is now worth nothing;',
            'Expired: its last day has passed;',
            'Revoked: the provider has withdrawn it.',
          ],
        },
        'The portal decides, not the paper. A copy, a photo or a screenshot shows the same number as the original, and the first one redeemed is the only one that counts.',
      ],
    },
    {
      title: 'Set up your counter',
      clauses: [
        'Each till has its own POS user, and each cashier knows that their own name or till is on the receipt. Give a new POS user a first password in person; it is changed at the first login.',
        'Use a computer or a smart device with a current browser, and a scanner that reads EAN-13, the camera of the device, or the keypad. Install the portal on the device, so that it starts without a connection.',
        'Name the device at the first login ("Till 2"). Do not clear the browser’s data of a till while redemptions wait for their upload.',
        'Where the branch PIN is required, only the people at the counter know it. Change it when one of them leaves.',
      ],
    },
    {
      title: 'Redeem a voucher',
      clauses: [
        'Ring up the sale first, and check that nothing on the bill is excluded from vouchers.',
        'Scan or type the serial number, and compare the amount on the screen with the amount on the voucher. If they differ, the screen is right; do not redeem, and tell the customer to ask the programme.',
        'Confirm. Take the amount off the bill only when the screen says Redeemed. Write the receipt number on the bill, or print it, if your own rules ask for it.',
        'Keep a paper voucher, or strike it through, after it was redeemed. Do not hand it back unmarked.',
        'Redeem vouchers one by one. Never redeem a voucher ahead of a sale, and never for a customer who is not present.',
      ],
    },
    {
      title: 'What the screen says, and what to do',
      clauses: [
        'Redeemed: the voucher is used, and you have a receipt. Take the amount off the bill.',
        'Redeemed, will upload, or uploading: the voucher was checked while there was a connection, and is held for you. Take the amount off the bill. Leave the till switched on until the upload is done.',
        'Already used, expired, revoked or unknown: do not accept the voucher. Hand it back politely and ask for another way to pay. The portal does not say where a voucher was used, and you do not guess.',
        'On hold: another till has checked it. If that till is yours, finish or cancel there. A hold ends by itself after 24 hours.',
        'Cannot be checked now: there is no connection and the voucher was not checked before. Ask for another way to pay. The voucher stays valid, and the customer can use it later.',
        'Checking: wait. Do not scan the voucher again at another till.',
      ],
    },
    {
      title: 'Put a mistake right',
      clauses: [
        'The POS user who redeemed a voucher can void the redemption within five minutes, as long as the goods have not left the counter. The voucher is then valid again.',
        'After five minutes a redemption stands. Settle a return or a complaint under your own policy, without cash for the part paid by voucher.',
        'If a redemption was made for a wrong bill amount, do not correct it with another voucher. Tell your branch, and your branch tells the main account.',
      ],
    },
    {
      title: 'When the connection is lost',
      clauses: [
        'Vouchers that were checked before the connection was lost can be confirmed for ten minutes. Others wait.',
        'Redemptions that wait are uploaded automatically when the connection is back, from the login page too. Look at the count on the screen at the end of the day: it must be zero before the device is switched off for long.',
        'If an upload is refused, the portal says why and marks it for attention. Keep the bill, and tell the main account; the amount is not paid.',
      ],
    },
    {
      title: 'At the end of the day and of the month',
      clauses: [
        'Compare "My day" with your till. Differences are easiest to find on the same day.',
        'Download the daily, monthly or transaction report for your books. A transaction report covers two months at most, a monthly report one year.',
        'The days and months of reports are Singapore’s. A redemption belongs to the day on which it was made at the counter.',
        'Keep the bills that belong to redemptions for five years.',
      ],
    },
    {
      title: 'Look after access',
      clauses: [
        'Deactivate a POS user, a branch or a master on the day it is no longer needed. It is logged out at once, and its holds end.',
        'The main account goes through the list of accounts every three months and removes those that nobody needs.',
        'No cashier needs the password of a merchant account to redeem vouchers.',
      ],
    },
    {
      title: 'Signs of fraud',
      clauses: [
        {
          text: 'Stop, do not redeem, and tell your main account when',
          items: [
            'somebody presents many vouchers at once, or reads numbers from a list;',
            'a code is pasted over another one, or the number below it differs;',
            'somebody asks for cash, change or gift cards in exchange;',
            'somebody offers to sell you vouchers; or',
            'a caller asks for a voucher number, a PIN or a password. The provider never asks for them.',
          ],
        },
        'Do not detain people. Note the voucher’s number and the time if you can, and report them to the provider on the same day.',
      ],
    },
    {
      title: 'Talk to customers',
      clauses: [
        'Show at the entrance and at the counter that you accept vouchers, with the material from Resources.',
        'Say what the screen says, no more and no less: that a voucher is used, expired or cannot be checked now. Questions about why are for the programme to answer.',
        'Treat people who pay with vouchers like everybody else.',
      ],
    },
  ],
}

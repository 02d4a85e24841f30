import { TERMS_VERSION } from '../../contract/merchants/application.ts'
import type { LegalDocument } from './LegalDocument.ts'

/** Accepted with an application; its version is stored beside it. */
export const TERMS_AND_CONDITIONS: LegalDocument = {
  title: 'Terms and conditions',
  version: TERMS_VERSION,
  inForceFrom: '2026-11-21',
  intro: [
    'These terms are the agreement between a merchant and the provider of the health rewards voucher programme. They say what a merchant does, what the provider does, how redeemed vouchers are paid, and how the agreement ends.',
    'Read them before you apply. By ticking the box of the application you accept them for your organisation.',
  ],
  sections: [
    {
      title: 'Words used here',
      clauses: [
        '"Programme" is the health rewards voucher programme: vouchers are given to members of the public as a reward, and merchants accept them as payment.',
        '"Provider" or "we" is the organisation that runs the programme and operates the merchant portal.',
        '"Merchant" or "you" is the organisation named in the application, with all its brands, branches and outlets that take part.',
        '"Voucher" is a numbered right to a stated amount in Singapore dollars, issued by the provider. It may be printed or shown on a screen.',
        '"Portal" is the merchant portal, with the counter screen at which vouchers are redeemed.',
        '"Redemption" is the moment the portal confirms that a voucher has been used at your counter and gives a receipt number.',
        '"Working day" is a day other than a Saturday, a Sunday or a public holiday in Singapore.',
      ],
    },
    {
      title: 'Who may apply',
      clauses: [
        {
          text: 'You may apply if your organisation',
          items: [
            'is registered with the Accounting and Corporate Regulatory Authority (ACRA), or is otherwise allowed to do business in Singapore;',
            'sells goods or services from an outlet, or from the stall of an event, in Singapore;',
            'holds every licence its business needs; and',
            'has a bank account in Singapore in its own name.',
          ],
        },
        'Whoever submits the application confirms that they are allowed to bind the organisation.',
        'Everything in the application and in the onboarding form must be true and complete. You tell us within 10 working days when something in it changes.',
        'We may ask for documents that support what you stated. We may accept or reject an application. If we reject it we tell you the reason, and you may apply again.',
      ],
    },
    {
      title: 'When the agreement begins',
      clauses: [
        'The agreement begins when we authorise your account and tell you so by email. Submitting an application, confirming an email address or logging in does not by itself authorise you to accept vouchers.',
        'For a merchant of an event the agreement covers the event and the dates we have agreed. It ends when the event ends, apart from what section 14 keeps in force.',
        'The version of these terms that you accepted is stored with your application.',
      ],
    },
    {
      title: 'Accounts and login',
      clauses: [
        'You are responsible for the accounts of your organisation: the main account, the accounts of additional masters and of branches, and those of the people at your tills.',
        'Each account belongs to one person or one till. Passwords, recovery codes, PINs and authenticator apps are not shared.',
        'You deactivate an account at once when the person leaves, changes duties or loses the device.',
        'You tell us without delay when you suspect that somebody uses an account who should not. Until you have deactivated the account or told us, what is done with it counts as done by you.',
      ],
    },
    {
      title: 'Accepting vouchers',
      clauses: [
        'Every participating outlet accepts every valid voucher of the programme, on the same terms as cash, during all its opening hours. Outlets that you listed as not participating are left out.',
        'You do not add a charge, ask for a minimum spend, or exclude goods and services, except those that section 6 excludes.',
        {
          text: 'A voucher is redeemed in the portal before the goods are handed over. It counts as redeemed only when',
          items: [
            'the portal shows that it is redeemed, with a receipt number; or',
            'the portal shows that it is redeemed and uploading, and the provider later accepts the upload.',
          ],
        },
        'If the portal says that a voucher cannot be checked, you ask for another way to pay. The voucher stays valid.',
        'A voucher is worth its full amount once. It is not exchanged for cash, no change is given, and any part that is not used lapses. The customer pays the rest of the bill in another way.',
        'Several vouchers may be used for one bill. A voucher may be used together with your own promotions unless the promotion clearly excludes vouchers of every kind.',
        'Goods bought with a voucher are exchanged or refunded under your usual policy. A refund is not paid in cash for the part that was paid with vouchers.',
      ],
    },
    {
      title: 'What vouchers may not buy',
      clauses: [
        {
          text: 'You do not accept a voucher as payment for',
          items: [
            'tobacco, vaporisers and their parts;',
            'alcoholic drinks;',
            'lottery tickets, bets and other gambling;',
            'cash, gift cards, stored value, or other vouchers; or',
            'anything whose sale the law forbids.',
          ],
        },
        'You do not buy, sell or collect vouchers, and you do not redeem a voucher without a sale to the person who presents it.',
      ],
    },
    {
      title: 'Payment to you',
      clauses: [
        'For each valid redemption we owe you the amount of the voucher. We deduct no commission.',
        'We add up the redemptions of each calendar month, by the time in Singapore at which they were recorded, and pay the sum into the bank account stated in your onboarding form.',
        'The payment is due within the credit terms, in days, that you stated in your application, counted from the last day of the month. If no credit terms were agreed, it is due within 30 days.',
        'The portal shows your redemptions and lets you download them. Tell us within 60 days of the end of a month if you believe that its sum is wrong.',
        'Goods and services tax on what you sell is your own affair. A redemption is payment for your sale and not a supply by us to you.',
        'A change of bank account takes effect after we have confirmed it with your main account.',
      ],
    },
    {
      title: 'Redemptions that are not paid',
      clauses: [
        {
          text: 'We may refuse payment, or take back what was paid by deducting it from a later payment, for a redemption that',
          items: [
            'was made without a sale, or for something that section 6 excludes;',
            'was made with a voucher that you knew, or should have known, was forged, altered or obtained by fraud;',
            'was made by an outlet or an account that was not allowed to redeem at that time;',
            'was voided; or',
            'was uploaded after another redemption of the same voucher had been recorded.',
          ],
        },
        'We tell you which redemptions these are and why. You may object within 30 days, and we decide within a further 30 days after hearing you.',
        'While we look into a redemption we may withhold its amount, but not the amounts of others.',
      ],
    },
    {
      title: 'Records and checks',
      clauses: [
        'You keep the sales records that belong to redemptions for five years, and give us copies within 10 working days when we ask for them.',
        'With three working days of notice, or without notice if we suspect fraud, we may visit a participating outlet during its opening hours to see how vouchers are accepted.',
      ],
    },
    {
      title: 'Names and logos',
      clauses: [
        'You allow us to show the names, logos and outlets of your participating brands to members of the public, to say where vouchers are accepted, for as long as the agreement lasts.',
        'You confirm that you may give us this right. If somebody claims otherwise, you settle the claim.',
        'You may use the name and marks of the programme only to say that you accept its vouchers, and only as the material we provide shows them.',
      ],
    },
    {
      title: 'Personal data',
      clauses: [
        'Each party keeps to the Personal Data Protection Act 2012.',
        'We use the names and contact details that you give us to review your application, to run your accounts, to pay you and to write to you about the programme. You make sure that the people concerned know this.',
        'A voucher tells you nothing about the person who presents it. You do not record who that person is in connection with the voucher, unless the law asks you to.',
        'You tell us within 24 hours when you learn that data of the programme was lost or seen by somebody who should not see it.',
      ],
    },
    {
      title: 'Availability and responsibility',
      clauses: [
        'We run the portal with care, but we do not promise that it is always available. Planned maintenance is announced in the portal beforehand.',
        'The counter screen keeps working for vouchers that were checked before the connection was lost, within the limits it shows. Other vouchers are not accepted until the connection is back.',
        'Neither party is liable for lost profit or for indirect loss. What we owe you in a calendar year, apart from payment for redemptions, is limited to the amount we paid you in the three months before the event.',
        'Nothing here limits liability for death or injury caused by negligence, for fraud, or for anything else that the law does not allow to be limited.',
        'Neither party is liable for what it could not prevent with reasonable care.',
      ],
    },
    {
      title: 'Suspension',
      clauses: [
        {
          text: 'We may suspend an account, an outlet or the whole merchant at once if',
          items: [
            'we have reason to suspect fraud or a danger to the security of the portal;',
            'these terms or the voucher management guidelines are broken in a serious way;',
            'a licence that your business needs is withdrawn; or',
            'the law or an authority requires it.',
          ],
        },
        'We tell the main account the reason without delay, unless the law forbids it, and lift the suspension as soon as the reason is gone. Valid redemptions made before the suspension are paid.',
      ],
    },
    {
      title: 'Ending the agreement',
      clauses: [
        'Either party may end the agreement with 30 days of notice by email. You may take single brands or outlets out of the programme with 10 working days of notice.',
        'Either party may end it at once if the other breaks it in a serious way and does not put this right within 14 days of being told, or becomes insolvent.',
        'When the agreement ends you stop accepting vouchers, take down the material of the programme, and upload redemptions that are still waiting on a till. We pay valid redemptions as if it had not ended.',
        'Sections 7, 8, 9, 11 and 12 stay in force for what happened before the end.',
      ],
    },
    {
      title: 'Changes to these terms',
      clauses: [
        'We may change these terms. We write to your main account at least 30 days before a change takes effect, and say what changes.',
        'If you do not agree you may end the agreement before that day. If you go on accepting vouchers after it, the new version applies.',
        'A change that the law requires, or that only benefits you, may take effect earlier.',
      ],
    },
    {
      title: 'General',
      clauses: [
        'These terms, the terms of use and the voucher management guidelines together are the whole agreement. Where they differ, these terms come first.',
        'You do not pass rights or duties of this agreement to somebody else without our consent in writing. We may pass ours to an organisation that takes over the programme.',
        'If a part of these terms is not valid, the rest still is. Not insisting on a right once does not give it up.',
        'A person who is not a party has no right under the Contracts (Rights of Third Parties) Act 2001 to enforce these terms.',
        'The law of Singapore applies, and the courts of Singapore decide. The parties first try to settle a dispute by talking, and then, if both agree, by mediation at the Singapore Mediation Centre.',
        'Notices go by email: to you at the email address of your main account, to us at the address from which we confirmed your application.',
      ],
    },
  ],
}

/** The document that a merchant prints, signs and uploads with the onboarding (rule 5.6): the terms, with room for a signature. */
export const MERCHANT_AGREEMENT: LegalDocument = {
  ...TERMS_AND_CONDITIONS,
  title: 'Merchant agreement',
  intro: [
    'This agreement is between the merchant named at its end and the provider of the health rewards voucher programme. Its terms are the terms and conditions of the programme, in the version above.',
    'Sign it at its end, save it as one PDF with all its pages, and upload it with your onboarding.',
  ],
  signature: [
    'Organisation name, as registered with ACRA',
    'Company registration number (UEN)',
    'Name of the person who signs',
    'Designation',
    'Date',
    'Signature',
  ],
}

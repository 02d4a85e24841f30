import type { LegalDocument } from './LegalDocument.ts'

export const TERMS_OF_USE: LegalDocument = {
  title: 'Terms of use',
  version: '1.0',
  inForceFrom: '2026-11-21',
  intro: [
    'These terms apply to everybody who opens the merchant portal of the health rewards voucher programme, with or without an account. Merchants also accept the terms and conditions.',
  ],
  sections: [
    {
      title: 'What the portal is for',
      clauses: [
        'The portal is for organisations that take part in the programme, or apply to, and for the people they give accounts to.',
        'It is used to apply, to manage an organisation and its branches, to redeem vouchers, and to download reports and resources.',
      ],
    },
    {
      title: 'Your account',
      clauses: [
        'An account is personal. You do not lend it, and you do not use somebody else’s.',
        'You choose a password that you use nowhere else, keep your authenticator app and recovery codes safe, and lock or log out of a device that others can reach.',
        'Only one session of an account is active at a time. Logging in on a second device ends the session on the first.',
        'When you do nothing for a while, the portal logs you out. What you typed into a long form is kept as a draft on your device.',
        'Tell the main account of your organisation, or the provider, at once if you believe that somebody else has used your account.',
      ],
    },
    {
      title: 'What you may not do',
      clauses: [
        {
          text: 'You do not',
          items: [
            'try to reach data or functions that your account is not meant to reach;',
            'guess, collect or test voucher numbers, passwords, codes or links;',
            'upload files that carry harmful code, or content that you have no right to use;',
            'put load on the portal that goes beyond normal use, or copy its content by machine;',
            'change, hide or work around a message about the state of a voucher; or',
            'use the portal for anything that the law forbids.',
          ],
        },
        'If you find a weakness in the portal, report it to the provider, and to nobody else until it is fixed. We do not take action against people who report in good faith and have harmed nobody.',
      ],
    },
    {
      title: 'Working without a connection',
      clauses: [
        'Parts of the portal work without a connection. What you see then is marked with the time it was last refreshed, and may have changed since.',
        'Drafts, waiting downloads and redemptions that wait for their upload are on the device. If you clear the browser’s data, or lose the device, before they have been sent, drafts and downloads are gone; a redemption that was never uploaded may not be paid.',
        'Logging out removes the data of your account from the device. Redemptions that wait for their upload stay until they have been sent.',
      ],
    },
    {
      title: 'What is stored on your device',
      clauses: [
        'The portal stores in your browser what it needs to work: the files of the portal itself, your session, your settings, lists for use without a connection, drafts and work that waits. It sets one cookie, which protects your session.',
        'It uses no cookies or other means for advertising, and does not follow you to other sites.',
        'To tell people from machines when somebody applies, the portal has your browser solve a small task. If the provider has set up reCAPTCHA instead, the terms and the privacy policy of that service apply to the check.',
      ],
    },
    {
      title: 'Your data',
      clauses: [
        'We use what you enter to run the programme, as the terms and conditions say, and keep to the Personal Data Protection Act 2012.',
        'We log logins and actions with their time and network address, to protect accounts and vouchers. Logs never hold passwords, codes or full voucher numbers.',
        'You may ask us which personal data of yours we hold, and have it corrected.',
      ],
    },
    {
      title: 'Content of the portal',
      clauses: [
        'Texts, marks and software of the portal belong to the provider or to those who let it use them. You may print and keep what you need for taking part in the programme.',
        'Logos and documents that a merchant uploads stay the merchant’s.',
        'We are not responsible for pages of others that the portal links to.',
      ],
    },
    {
      title: 'Availability',
      clauses: [
        'We run the portal with care. We do not promise that it is free of errors or always available, and may change or pause it.',
        'We may block an account or an address from which these terms are broken.',
        'To the extent the law allows, we are not liable for loss from using the portal, or from not being able to. What a merchant is owed for redemptions is not affected by this.',
      ],
    },
    {
      title: 'Changes, law and contact',
      clauses: [
        'We may change these terms. The version in force, and since when, is stated at the top of this page. An important change is announced in the portal beforehand.',
        'The law of Singapore applies, and the courts of Singapore decide.',
        'Merchants reach the provider at the address from which their application was confirmed.',
      ],
    },
  ],
}

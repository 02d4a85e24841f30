import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { MailTransport } from './MailTransport.ts'
import { mailOptions } from './message.ts'

/** Without a mail server: `.eml` files in `folder`, and one line to `print` for each, with its link, to click in a terminal. */
export function fileTransport(folder: string, from: string, print: (line: string) => void): MailTransport {
  const transporter = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      const { message: bytes } = await transporter.sendMail(mailOptions(mail, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, `${mail.id}.eml`), bytes as Buffer, { mode: 0o600 })
      const [link = ''] = /https?:\/\/\S+/.exec(mail.text) ?? []
      print(`Mail for ${mail.to}: ${mail.subject} ${link}`.trimEnd() + '\n')
    },
    close: () => transporter.close(),
  }
}

import type { ReactElement, ReactNode } from 'react'
import { EmailText } from './EmailText.tsx'
import { SocialMark } from '../social/SocialMark.tsx'

type MailNoticeProps = {
  /** The sentence that names the address. */
  text: (args: { email: string }) => string
  email: string
  children?: ReactNode
}

/** Says which mail was sent to which address. */
export function MailNotice({ text, email, children }: MailNoticeProps): ReactElement {
  const [before = '', after = ''] = text({ email: '\n' }).split('\n')
  return (
    <div className="mailed">
      <span className="mailed-mark">
        <SocialMark of="email" size={28} />
      </span>
      <p className="hint">
        {before}
        <EmailText text={email} />
        {after}
      </p>
      {children}
    </div>
  )
}

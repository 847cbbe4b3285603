import type { ReactElement } from 'react'

/** An email address. If it needs two lines, the second one starts with the domain. */
export function EmailText({ text }: { text: string }): ReactElement {
  const at = text.lastIndexOf('@')
  if (at < 1) return <bdi>{text}</bdi>
  return (
    <bdi dir="ltr">
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </bdi>
  )
}

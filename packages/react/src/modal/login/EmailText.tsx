import type { ReactElement } from 'react'

/** An address, or a name like one; where it needs two lines, its domain begins the second. */
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

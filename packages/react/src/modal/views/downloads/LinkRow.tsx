import type { ReactElement } from 'react'
import { useStrings } from '../../../strings/useStrings.ts'
import { useViewStyles } from '../../shadowRoot.ts'
import { downloadsCss } from './downloads.css.ts'
import { Drawing, Icon } from '../../parts.tsx'

type LinkRowProps = {
  href: string
  name: string
  /** A path in a square of 20. */
  picture: string
}

/** A row that leaves this page for another. */
export function LinkRow({ href, name, picture }: LinkRowProps): ReactElement {
  const { downloads: t } = useStrings()
  useViewStyles(downloadsCss)
  return (
    <li>
      <a className="row" part="row" href={href} target="_blank" rel="noopener noreferrer">
        <span className="mark">
          <Drawing path={picture} size={20} />
        </span>
        <span className="text">
          <span className="name">{name}</span>
          <span className="hidden">{t.newTab}</span>
        </span>
        <Icon name="external" />
      </a>
    </li>
  )
}

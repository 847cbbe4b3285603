import type { ReactElement } from 'react'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { downloadsCss } from './downloads.css.ts'
import { Drawing, Icon } from '../../../parts/index.tsx'

type LinkRowProps = {
  href: string
  name: string
  /** An SVG path in a square of 20 units. */
  picture: string
}

/** A row that links to another page. */
export function LinkRow({ href, name, picture }: LinkRowProps): ReactElement {
  const { downloads: t } = useModalMessages()
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

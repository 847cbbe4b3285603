import { useMemo, type ReactElement, type ReactNode } from 'react'
import { useViewStyles } from '../shadowRoot.ts'
import { qrCss } from './qr.css.ts'
import { qrPath } from './qrPath.ts'

export type QrCodeProps = {
  /** Undefined while it is being prepared; the room is the same. */
  text: string | undefined
  label: string
  /** The picture in the middle. */
  children: ReactNode
  /** It cannot be used at this moment. */
  dimmed: boolean
}

/** A text to scan: black on white in every theme, since not every scanner reads the reverse. */
export function QrCode({ text, label, children, dimmed }: QrCodeProps): ReactElement {
  useViewStyles(qrCss)
  const code = useMemo(() => (text === undefined ? undefined : qrPath(text)), [text])
  return (
    <figure className="qr" part="qr" data-dimmed={dimmed ? '' : undefined}>
      {code === undefined ? (
        <span className="skeleton" />
      ) : (
        <svg
          key={text}
          role="img"
          aria-label={label}
          viewBox={`0 0 ${code.size} ${code.size}`}
          shapeRendering="crispEdges"
        >
          <path d={code.path} fill="#000" />
        </svg>
      )}
      <span className="qr-middle">{children}</span>
    </figure>
  )
}

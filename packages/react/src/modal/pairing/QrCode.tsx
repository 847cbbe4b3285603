import { useMemo, type ReactElement, type ReactNode } from 'react'
import { useViewStyles } from '../shell/shadowRoot.ts'
import { qrCss } from './qr.css.ts'
import { qrPath } from './qrPath.ts'

export type QrCodeProps = {
  /** Undefined while the code is prepared. The size does not change. */
  text: string | undefined
  label: string
  /** The image in the middle. */
  children: ReactNode
  /** True if the code cannot be used at the moment. */
  dimmed: boolean
}

/** A QR code. It is black on white in every theme, because not every scanner reads inverted codes. */
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

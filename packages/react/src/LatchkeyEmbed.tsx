import { embedModal } from '@latchkey/modal'
import { createElement, useCallback, useState, type ReactElement } from 'react'
import { ErrorBoundary } from './boundary/ErrorBoundary.tsx'
import { useChunk } from './useChunk.ts'
import { useLatchkeyContext } from './context.ts'
import { loadModal } from './modal/loadModal.ts'
import { ServerStyles } from './styles/ServerStyles.tsx'
import { useStyles } from './styles/useStyles.ts'
import { useClientLayoutEffect } from './modal/useClientLayoutEffect.ts'

// Reserves the height, so that the page doesn't move when the modal's code arrives.
const embedCss = 'latchkey-modal[data-embedded]{display:block;min-block-size:var(--latchkey-embed-height,360px)}'

/**
 * Renders the modal inside the page instead of above it. While it is mounted, no modal floats above the page, and the
 * buttons show their views here.
 *
 * @example <LatchkeyEmbed />
 */
export function LatchkeyEmbed(): ReactElement {
  const { latchkey, theme, direction, styleRoot } = useLatchkeyContext()
  const [root, setRoot] = useState<ShadowRoot>()
  const modal = useChunk(loadModal)
  const ref = useCallback((host: HTMLElement | null) => {
    if (host !== null) setRoot(host.shadowRoot ?? host.attachShadow({ mode: 'open' }))
  }, [])
  useStyles(embedCss, () => styleRoot ?? document)
  // A layout effect: a modal that Suspense hides is not in the page, and must not prevent another from floating.
  useClientLayoutEffect(() => embedModal(latchkey), [latchkey])
  return createElement(
    'latchkey-modal',
    {
      'data-embedded': '',
      'data-theme': theme,
      dir: direction,
      ref,
    },
    <ServerStyles css={embedCss} />,
    root !== undefined && modal !== undefined && modal !== 'failed' && (
      <ErrorBoundary place="modal" renderFailed={() => null}>
        <modal.EmbeddedModal root={root} />
      </ErrorBoundary>
    ),
  )
}

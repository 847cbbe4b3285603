import { embedModal } from '@latchkey/core'
import { createElement, useCallback, useLayoutEffect, useState, type ReactElement } from 'react'
import { useChunk } from './chunks.ts'
import { useSurroundings } from './context.ts'
import { loadModal } from './modal/loadModal.ts'
import { useStyles } from './styles/useStyles.ts'

// The room is kept from the beginning, so that nothing moves when the modal's code arrives.
const embedCss = 'latchkey-modal[data-embedded]{display:block;min-block-size:var(--latchkey-embed-height,360px)}'

/**
 * The modal in the page instead of above it. As long as it is there nothing floats: the button shows the view here.
 *
 * @example <LatchkeyEmbed />
 */
export function LatchkeyEmbed(): ReactElement {
  const { latchkey, theme, direction } = useSurroundings()
  const [root, setRoot] = useState<ShadowRoot>()
  const modal = useChunk(loadModal)
  const ref = useCallback((host: HTMLElement | null) => {
    if (host !== null) setRoot(host.shadowRoot ?? host.attachShadow({ mode: 'open' }))
  }, [])
  useStyles(embedCss, () => document)
  // Of layout: a modal that Suspense hides is not in the page, and must not keep another from floating.
  useLayoutEffect(() => embedModal(latchkey), [latchkey])
  return createElement(
    'latchkey-modal',
    {
      'data-embedded': '',
      'data-theme': theme,
      dir: direction,
      ref,
    },
    root !== undefined && modal !== undefined && modal !== 'failed' && <modal.EmbeddedModal root={root} />,
  )
}

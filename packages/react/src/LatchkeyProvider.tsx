import { start, type Latchkey } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { abandonModal, attachModal, modalOf } from '@latchkey/modal'
import { useEffect, useMemo, type ReactElement, type ReactNode } from 'react'
import { ErrorBoundary } from './boundary/ErrorBoundary.tsx'
import { useChunk, useChunkOf } from './useChunk.ts'
import { LatchkeyContext, useLatchkeyContext } from './context.ts'
import { loadModal } from './modal/loadModal.ts'
import { preloadModal } from './modal/preloadModal.ts'
import { runWhenIdle } from './modal/runWhenIdle.ts'
import { loadLanguages } from './messages/loadLanguages.ts'
import type { StringOverrides } from './messages/strings.ts'
import { chosenTheme, restoreTheme, type Theme } from './theme.ts'
import { useAppearance } from './useAppearance.ts'
import { useClientLayoutEffect } from './modal/useClientLayoutEffect.ts'
import { useStore } from './useStore.ts'

export type LatchkeyProviderProps = {
  /** Create it once with `createLatchkey`, outside the component. */
  latchkey: Latchkey
  /** Takes precedence over the theme that the user chose with `useTheme`. `system` if there is neither. */
  theme?: Theme
  /** A BCP 47 tag, or `auto` for the browser's languages. English if omitted or not available. */
  locale?: string
  /** Texts that replace those of Latchkey, by group and name. */
  strings?: StringOverrides
  /** The nonce of a content security policy, for the styles in the page of a server. */
  nonce?: string
  children?: ReactNode
}

const english = { locale: 'en', direction: 'ltr' } as const

/**
 * Starts an instance, provides it to the hooks and buttons below, and renders its modal when it opens.
 *
 * @example
 * <LatchkeyProvider latchkey={latchkey}>
 *   <ConnectButton />
 * </LatchkeyProvider>
 */
export function LatchkeyProvider({
  latchkey,
  theme,
  locale = 'en',
  strings,
  nonce,
  children,
}: LatchkeyProviderProps): ReactElement {
  const chosen = useStore(chosenTheme(latchkey)).theme
  const languages = useChunkOf(latchkey, loadLanguages, locale !== 'en')
  const context = useMemo(
    () => ({
      latchkey,
      theme: theme ?? chosen ?? 'system',
      strings,
      nonce,
      ...(locale === 'en' || languages === 'failed' ? english : languages?.getLanguage(locale)),
    }),
    [latchkey, theme, chosen, locale, languages, strings, nonce],
  )
  useAppearance(context)
  // Runs before the effects of the app's components, so that the modal receives each event first.
  useClientLayoutEffect(() => attachModal(latchkey), [latchkey])
  useEffect(() => {
    restoreTheme(latchkey)
    return start(latchkey)
  }, [latchkey])
  return (
    <LatchkeyContext.Provider value={context}>
      {children}
      <ModalOutlet />
    </LatchkeyContext.Provider>
  )
}

/** Renders nothing until a modal or a toast is needed, or is about to be: the first click then finds its code loaded. */
function ModalOutlet(): ReactElement | null {
  const { latchkey, locale } = useLatchkeyContext()
  const { open } = useStore(modalOf(latchkey).state)
  const toast = useStore(modalOf(latchkey).toast)
  const notice = useStore(modalOf(latchkey).alerts).some(
    ({ code, dismissed }) => code === 'network-unsupported' && !dismissed,
  )
  const modal = useChunk(loadModal, open || toast.open || notice)
  useEffect(() => runWhenIdle(internalsOf(latchkey).clock, () => preloadModal(latchkey, locale)), [latchkey, locale])
  // The button shows that the modal could not be fetched. The next click tries again.
  useEffect(() => {
    if (modal === 'failed') abandonModal(latchkey)
  }, [latchkey, modal])
  if (modal === undefined || modal === 'failed') return null
  return (
    // A modal that fails as a whole closes. The next click opens it again.
    <ErrorBoundary place="modal" renderFailed={() => null} onFail={() => abandonModal(latchkey)} resetKey={open}>
      <modal.FloatingModal />
    </ErrorBoundary>
  )
}

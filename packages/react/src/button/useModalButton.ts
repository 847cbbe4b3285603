import { modalOf, type OpenOptions } from '@latchkey/modal'
import type { ComponentProps, MouseEvent } from 'react'
import { useChunk } from '../chunks.ts'
import { useSurroundings } from '../context.ts'
import { preloadModal } from '../modal/preloadModal.ts'
import { loadModal } from '../modal/loadModal.ts'
import { useStyles } from '../styles/useStyles.ts'
import { useStore } from '../useStore.ts'
import { buttonCss } from './button.css.ts'

/** The props that all buttons share. */
export type ButtonProps = {
  /** 44 pixels high, or 36. */
  size?: 'md' | 'sm'
  disabled?: boolean
}

/** The attributes of a button, including its styling. */
export type ButtonAttributes = ComponentProps<'button'> & { 'data-theme': string; 'data-size': string | undefined }

/**
 * Creates the attributes of a button that opens the modal.
 *
 * @param open the options that open the modal
 * @returns the attributes, and true if the modal's code could not be fetched
 */
export function useModalButton(
  open: OpenOptions,
  { size, disabled }: ButtonProps,
): { attributes: ButtonAttributes; failed: boolean } {
  const { latchkey, theme, locale, direction, styleRoot } = useSurroundings()
  const { open: isOpen } = useStore(modalOf(latchkey).state)
  const modal = useChunk(loadModal, false)
  useStyles(buttonCss, () => styleRoot ?? document)
  const anticipate = (): void => preloadModal(latchkey, locale)
  const onClick = (event: MouseEvent<HTMLButtonElement>): void => {
    // Safari does not focus a clicked button, and focus has to return to it.
    event.currentTarget.focus()
    anticipate()
    if (modal !== undefined && modal !== 'failed') return modal.openModal(latchkey, open)
    // The code that opens the modal is part of its chunk. If it can't be fetched, the button shows it.
    loadModal().then(
      ({ openModal }) => openModal(latchkey, open),
      () => undefined,
    )
  }
  const attributes: ButtonAttributes = {
    type: 'button',
    className: 'latchkey-button',
    lang: locale,
    dir: direction,
    disabled,
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    'data-theme': theme,
    'data-size': size,
    onPointerEnter: anticipate,
    onFocus: anticipate,
    onClick,
  }
  return { attributes, failed: modal === 'failed' }
}

/**
 * Lays out a closed dialog, so that its fonts are loaded and its texts are shaped when it opens. No frame shows it.
 */
export function layOutClosed(dialog: HTMLDialogElement): void {
  if (dialog.open) return
  const { style } = dialog
  // Without transitions: they would keep the dialog displayed after this function.
  Object.assign(style, { display: 'grid', visibility: 'hidden', transition: 'none' })
  dialog.getBoundingClientRect()
  style.display = 'none'
  dialog.getBoundingClientRect()
  Object.assign(style, { display: '', visibility: '', transition: '' })
}

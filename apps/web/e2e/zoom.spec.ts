import { expect, test } from './support/fixtures.ts'
import type { ShownView } from './support/shownView.ts'
import { listTranslatedViews } from './support/translatedViews.ts'
import { moreViews, views } from './support/views.ts'

// A browser at 200 % zoom has half as many CSS pixels in both directions. [WCAG 2.2, 1.4.4 and 2.4.11]
test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 })

/**
 * Runs in the page. Lists what a user cannot see or click in the modal: the card or a pane that is wider than its place, and
 * controls that are outside of the screen or covered after they were scrolled into view.
 */
function findUnreachable(): readonly string[] {
  const root = document.querySelector('latchkey-modal')?.shadowRoot ?? document
  const dialog = root.querySelector('dialog[open]')
  if (dialog === null) return ['There is no open dialog.']
  const wide = [document.documentElement, ...dialog.querySelectorAll('.pane:not([data-leaving])')].filter(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  )
  const controls = [...dialog.querySelectorAll('button, a[href], input, textarea, select')].filter(
    (element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      getComputedStyle(element).pointerEvents !== 'none' &&
      element.closest('[data-leaving], [inert]') === null,
  )
  const covered = controls.filter((element) => {
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { left, top, width, height } = element.getBoundingClientRect()
    if (width <= 1 || height <= 1) return false
    const hit = root.elementFromPoint(left + width / 2, top + height / 2)
    return hit === null || !(element.contains(hit) || hit.closest('label')?.contains(element) === true)
  })
  return [
    ...wide.map(({ tagName, className }) => `too wide: ${tagName} ${className}`),
    ...covered.map(
      (element) => `covered: ${element.tagName} ${element.textContent || element.getAttribute('aria-label')}`,
    ),
  ]
}

function testReach(view: ShownView, tag: string[]): void {
  test(`all of ${view.name} can be reached at 200 % zoom`, { tag }, async ({ page, urls, extension }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await view.show({ page, urls, extension })
    await expect.poll(() => page.evaluate(findUnreachable)).toEqual([])
  })
}

for (const view of views) testReach(view, ['@variant', '@engines'])
for (const view of moreViews) testReach(view, ['@variant'])
// Right to left.
for (const view of listTranslatedViews('ar')) testReach(view, ['@variant', '@engines'])

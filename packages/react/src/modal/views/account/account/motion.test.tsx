import { connect } from '@latchkey/core'
import { fakeConnector, fakeWorld } from '@latchkey/core/fakes'
import { pushView } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { emulatePreferences } from '../../../../testing/emulatePreferences.ts'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { useRoll } from './useRoll.ts'

afterEach(() => vi.restoreAllMocks())

/** Records the first keyframe of each animation of matching elements. */
function recordMotion(selector: string): Keyframe[] {
  const first: Keyframe[] = []
  const { animate } = Element.prototype
  vi.spyOn(Element.prototype, 'animate').mockImplementation(function (this: Element, frames, options) {
    if (this.matches(selector) && Array.isArray(frames)) first.push(...frames.slice(0, 1))
    return animate.call(this, frames, options)
  })
  return first
}

const allowMotion = () => emulatePreferences({ name: 'prefers-reduced-motion', value: 'no-preference' })

function Amount({ value }: { value: bigint | undefined }): ReactElement {
  return (
    <bdi ref={useRoll(value)} className="roll">
      {String(value)}
    </bdi>
  )
}

test('a number rolls up when it grows, down when it shrinks, and not when it first appears', async () => {
  await allowMotion()
  const motion = recordMotion('.roll')
  const { rerender } = await render(<Amount value={undefined} />)
  await rerender(<Amount value={5n} />)
  await rerender(<Amount value={5n} />)
  expect(motion).toEqual([])
  await rerender(<Amount value={7n} />)
  await rerender(<Amount value={6n} />)
  expect(motion.map(({ translate }) => translate)).toEqual(['0 .5em', '0 -.5em'])
})

test('a number does not roll with reduced motion', async () => {
  const motion = recordMotion('.roll')
  const { rerender } = await render(<Amount value={5n} />)
  await rerender(<Amount value={7n} />)
  expect(motion).toEqual([])
})

test.each([
  [false, true],
  [true, false],
])(
  'the avatar moves from the account to its settings, except with reduced motion (reduced: %s)',
  async (isReduced, moves) => {
    if (!isReduced) await allowMotion()
    const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
    await connect(latchkey, 'fake')
    const screen = await renderModal(latchkey)
    await expect.poll(() => modalRoot().querySelector('.avatar')).not.toBeNull()
    const motion = recordMotion('.avatar')
    pushView(latchkey, { view: 'AccountSettings', params: {} })
    await expect.element(screen.getByRole('heading', { name: 'Account settings' })).toBeVisible()
    await expect
      .poll(() => modalRoot().querySelector('.pane:not([data-leaving]) .avatar[data-size=medium]'))
      .not.toBeNull()
    // Strict mode runs effects twice.
    expect(motion.length > 0).toBe(moves)
  },
)

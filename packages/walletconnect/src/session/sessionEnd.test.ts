import type { EndReason } from '@latchkey/core'
import { fakeStorage, manualClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import type { Dapp } from '../dapp/dapp.ts'
import type { Session } from './session.ts'
import { connectParties } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'

const parties = startPartiesOverRelay()

/** The reasons for the end of a session, one per event. */
function follow(dapp: Dapp, { topic }: Session): EndReason[] {
  const received: EndReason[] = []
  dapp.listen(topic, { updated() {}, event() {}, ended: (reason) => void received.push(reason) })
  return received
}

test('a session that its wallet ends has the reason wallet', async () => {
  const [dapp, phone] = [parties.dapp(), parties.phone()]
  const session = await connectParties(dapp, phone)
  const received = follow(dapp, session)
  await phone.disconnect(session.topic)
  await expect.poll(() => received).toEqual(['wallet'])
})

test('a session ends as expired after seven days', { tags: 'faults' }, async () => {
  const clock = manualClock(Date.now())
  const dapp = parties.dapp({ clock })
  const received = follow(dapp, await connectParties(dapp, parties.phone()))
  // The phone chooses the end by the system clock.
  clock.advance(7 * 24 * 3_600_000 + 3_600_000)
  expect(received).toEqual(['expired'])
})

test('a session that expired before the page loaded ends as expired', { tags: 'faults' }, async () => {
  const [clock, storage] = [manualClock(Date.now()), fakeStorage()]
  await connectParties(parties.dapp({ clock, storage }), parties.phone())
  // The phone chooses the end of the session by the system clock, which has moved on since the first line.
  const later = manualClock(clock.now() + 7 * 24 * 3_600_000 + 3_600_000)
  expect(parties.dapp({ clock: later, storage }).restore()).toEqual([])
})

test('a session that another tab ends has the reason other-tab', async () => {
  const storage = fakeStorage()
  const [here, there] = [parties.dapp({ storage }), parties.dapp({ storage: storage.otherTab() })]
  const session = await connectParties(here, parties.phone())
  there.restore()
  const received = follow(there, session)
  await here.disconnect(session.topic)
  await expect.poll(() => received).toEqual(['other-tab'])
})

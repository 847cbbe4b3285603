import type { EndReason } from '@latchkey/core'
import { fakeStorage, manualClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import type { Dapp } from './dapp.ts'
import type { Session } from './session.ts'
import { connectParties } from './testing/parties.ts'
import { partiesOverRelay } from './testing/partiesOverRelay.ts'

const parties = partiesOverRelay()

/** Why a session ended, as often as that is told. */
function follow(dapp: Dapp, { topic }: Session): EndReason[] {
  const heard: EndReason[] = []
  dapp.listen(topic, { updated() {}, event() {}, ended: (reason) => void heard.push(reason) })
  return heard
}

test('a session that its wallet ends is over by the wallet', async () => {
  const [dapp, phone] = [parties.dapp(), parties.phone()]
  const session = await connectParties(dapp, phone)
  const heard = follow(dapp, session)
  await phone.disconnect(session.topic)
  await expect.poll(() => heard).toEqual(['wallet'])
})

test('a session that lasted seven days is over by itself', async () => {
  const clock = manualClock(Date.now())
  const dapp = parties.dapp({ clock })
  const heard = follow(dapp, await connectParties(dapp, parties.phone()))
  clock.advance(604_801_000)
  expect(heard).toEqual(['expired'])
})

test('a session that was over before the page came is over by itself', async () => {
  const [clock, storage] = [manualClock(Date.now()), fakeStorage()]
  await connectParties(parties.dapp({ clock, storage }), parties.phone())
  expect(parties.dapp({ clock: manualClock(clock.now() + 604_801_000), storage }).restore()).toEqual([])
})

test('a session that another tab ends is over by that', async () => {
  const storage = fakeStorage()
  const [here, there] = [parties.dapp({ storage }), parties.dapp({ storage: storage.otherTab() })]
  const session = await connectParties(here, parties.phone())
  there.restore()
  const heard = follow(there, session)
  await here.disconnect(session.topic)
  await expect.poll(() => heard).toEqual(['other-tab'])
})

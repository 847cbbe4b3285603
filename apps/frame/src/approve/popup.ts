import { consentScreen, type ConsentFacts } from '../screens/consent.ts'
import { runWindow } from '../screens/windowPage.ts'
import type { SwitchFacts } from '../smart/smart.ts'
import { switchScreen } from '../smart/switchScreen.ts'
import { approvalScreen } from './approvalScreen.ts'
import type { Facts } from './facts.ts'

// The page of the window that the frame opens. What it is told comes from the frame itself, so its form is known.
const root = document.getElementById('stage')
if (root !== null) {
  await runWindow(root, location.origin, {
    approval: (facts, words) => approvalScreen(facts as Facts, words),
    consent: (facts, words) => consentScreen(words, facts as ConsentFacts),
    switch: (facts, words) => switchScreen(words, facts as SwitchFacts),
  })
}

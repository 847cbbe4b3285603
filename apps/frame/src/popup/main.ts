import { consentScreen, type ConsentFacts } from '../screens/consentScreen.ts'
import { emailChangeScreen, type EmailChangeFacts } from '../screens/emailChangeScreen.ts'
import { runWindow } from '../screens/stage/runWindow.ts'
import type { SwitchFacts } from '../smart/smart.ts'
import { switchScreen } from '../smart/switchScreen.ts'
import { approvalScreen } from '../approve/approvalScreen.ts'
import type { ApprovalFacts } from '../approve/approvalFacts.ts'

// The window's page. Its data comes from the frame of the same origin, so the types are known.
const root = document.getElementById('stage')
if (root !== null) {
  await runWindow(root, location.origin, {
    approval: (facts, messages) => approvalScreen(facts as ApprovalFacts, messages),
    consent: (facts, messages) => consentScreen(messages, facts as ConsentFacts),
    emailChange: (facts, messages) => emailChangeScreen(messages, facts as EmailChangeFacts),
    switch: (facts, messages) => switchScreen(messages, facts as SwitchFacts),
  })
}

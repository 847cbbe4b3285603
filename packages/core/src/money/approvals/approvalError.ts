import { createErrors, type ErrorCode, type ErrorMaker } from '@latchkey/protocol'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'approval/not-revocable': { token: string; reason: string }
  }
}

export type ApprovalCode = Extract<ErrorCode, `approval/${string}`>

/** The errors of approvals, loaded together with their code. */
export const approvalError: ErrorMaker<ApprovalCode> = createErrors<ApprovalCode>({
  'approval/not-revocable': ({ token, reason }) =>
    `The approval of the token ${token} can't be revoked: ${reason}. Nothing was sent.`,
})

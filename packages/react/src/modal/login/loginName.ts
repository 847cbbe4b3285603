import type { LoginUser } from '@latchkey/core'

/** What somebody is called who is logged in. Discord writes a number behind its older names; that of new ones is 0. */
export function loginName({ email, userName, social }: LoginUser): string | undefined {
  if (social === undefined) return email ?? userName
  const name = social === 'discord' ? userName?.replace(/#0$/, '') : userName
  return name ?? email
}

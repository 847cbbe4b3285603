/** Names of well-known programs. */
const programNames: Readonly<Record<string, string>> = {
  '11111111111111111111111111111111': 'System',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'Token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'Token-2022',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'Associated Token Account',
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: 'Memo',
  Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo: 'Memo',
  ComputeBudget111111111111111111111111111111: 'Compute Budget',
  Stake11111111111111111111111111111111111111: 'Stake',
  AddressLookupTab1e1111111111111111111111111: 'Address Lookup Table',
}

export const systemProgram = '11111111111111111111111111111111'
export const computeBudget = 'ComputeBudget111111111111111111111111111111'
const tokenPrograms: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]

export function isTokenProgram(program: string): boolean {
  return tokenPrograms.includes(program)
}

export function programName(program: string): string | undefined {
  return Object.hasOwn(programNames, program) ? programNames[program] : undefined
}

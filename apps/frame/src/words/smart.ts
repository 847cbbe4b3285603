/** What the screens say that are about smart accounts. */
export const smart = {
  toSmart: 'Use your smart account?',
  toEoa: 'Use your simple account?',
  asks: 'This site would see another address of yours',
  address: 'Address from now on',
  smartHint:
    'A smart account does several steps at once, and somebody else may pay its fees. What your simple account holds stays there.',
  eoaHint: 'The simple account pays its fees itself, one step at a time. What your smart account holds stays there.',
  switch: 'Switch',
  keep: 'Keep as it is',
}

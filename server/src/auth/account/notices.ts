/** What its owner is told of an account that something happens to. No link in them logs anybody in. */
type Notice = { readonly subject: string; readonly text: string }

export function exportMail(): Notice {
  return {
    subject: 'The keys of your wallet were shown',
    text: [
      'Somebody who is logged in to your wallet has had its recovery phrase shown.',
      '',
      'If that was not you, move what the wallet holds to another one now: whoever saw the phrase can spend it.',
    ].join('\n'),
  }
}

export function deviceMail(): Notice {
  return {
    subject: 'A device was taken from your wallet',
    text: [
      'A device of your wallet was taken away. It opens nothing any more.',
      '',
      'If that was not you, log in and look at the devices and the ways to recover of your wallet.',
    ].join('\n'),
  }
}

export function deletionMail(link: string, at: number): Notice {
  return {
    subject: 'Your wallet will be deleted',
    text: [
      `Your wallet and its login will be deleted on ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
      'After that nobody can bring them back, we neither. Whatever the wallet holds has to be moved before.',
      '',
      'To keep it, open this page:',
      '',
      link,
    ].join('\n'),
  }
}

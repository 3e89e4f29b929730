import { describe, expect, it } from 'vitest';

import { isOtherField, readShares, writeShares } from './transactionSections';

describe('lines and shares of a transaction', () => {
  it('are two cells, part by part', () => {
    const cases: [string, string, [string, string][]][] = [
      ['', '', [['', '']]],
      ['GEN-1002', '1000', [['GEN-1002', '1000']]],
      [
        'GEN-1002 | GEN-1004',
        '1000|250.50',
        [
          ['GEN-1002', '1000'],
          ['GEN-1004', '250.50'],
        ],
      ],
      [
        'AA-1 | 10899',
        '60',
        [
          ['AA-1', '60'],
          ['10899', ''],
        ],
      ],
    ];
    for (const [codes, shares, rows] of cases)
      expect(readShares(codes, shares)).toEqual(rows.map(([code, share]) => ({ code, share })));
  });

  it('are written without empty rows, and without commas that part thousands', () => {
    expect(
      writeShares([
        { code: 'GEN-1002', share: '1,000.00' },
        { code: '', share: ' ' },
        { code: 'GEN-1004', share: '250.50' },
      ]),
    ).toEqual({ codes: 'GEN-1002 | GEN-1004', shares: '1000.00 | 250.50' });
    expect(writeShares([{ code: '', share: '' }])).toEqual({ codes: '', shares: '' });
    expect(writeShares([{ code: '10899', share: '' }])).toEqual({ codes: '10899', shares: '' });
  });

  it('every column has its place: in a section, or among the others', () => {
    for (const [field, expected] of [
      ['premium', false],
      ['policy_number', false],
      ['syndicate_coverage', false],
      ['agent_id', true],
      ['rpg', true],
    ] as const)
      expect({ field, is: isOtherField(field) }).toEqual({ field, is: expected });
  });
});

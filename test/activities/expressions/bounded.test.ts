// Which expressions may run in workflow code: those whose work their own length and the data bound.
import { isBounded } from '../../../activities/expressions/bounded';

test.each([
  'row.domain',
  '$exists(cells.firm)',
  "cells.firm.employees > 100 ? 'big' : 'small'",
  "$uppercase(row.name) & '-' & $string(row.n + 1)",
  "$lookup(headers, 'x-request-id')",
  'body.items[price > 10 and $contains(name, "x")].{ "name": $trim(name), "n": $count(tags) }',
  'body.items{kind: $sum(price)}',
  '$replace(row.phone, " ", "")',
  '$join(row.tags, ", ")',
  '(row.a ? row.a : row.b)[0]',
  "status = 404 and body.error.code in ['a', 'b']",
])('%s runs in place', (expression) => {
  expect(isBounded(expression)).toBe(true);
});

test.each([
  ['a regular expression', '$match(row.a, /(a+)+$/)'],
  ['a regular expression in the text of an expression', '$eval(row.a)'],
  ['a function, which may call itself', '($f := function($n) { $f($n + 1) }; $f(1))'],
  ['a variable, which may double what it had', '($a := "x"; $a)'],
  ['a range', '[1..10000000]'],
  ['a path that begins anew inside another', 'row.items.($$.row.items)'],
  ['the work of sorting', '$sort(row.items)'],
  ['an order', 'row.items^(price)'],
  ['the comparison of all with all', '$distinct(row.items)'],
  ['a text as wide as the data says', '$pad(row.a, row.n)'],
  ['two texts of the data multiplied', '$replace(row.a, "x", row.b)'],
  ['a date picture, which becomes a regular expression', '$toMillis(row.a, "[Yw][Mw]")'],
  ['descendants', 'row.**.name'],
  ['a function as an argument', '$map(row.items, $uppercase)'],
  ['a function that was made elsewhere', 'row.a ~> $trim'],
  ['one that repeats the data very often', `[${Array(300).fill('row').join(', ')}]`],
])('%s runs apart', (_, expression) => {
  expect(isBounded(expression)).toBe(false);
});

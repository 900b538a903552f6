// Package submission checks a stored run against the rules of the Graph500 list, and packs what a submission needs: the
// output block in both its forms, a description of the system to complete by hand, the run itself, and checksums.
//
// Check names each rule, where it comes from, and how the run breaks it. It works on the run as it was stored and
// derives again what can be derived: verdict, statistics, power, output block, the search keys that the generator
// draws. It sees mistakes; against a forged run there is only running again.
package submission
